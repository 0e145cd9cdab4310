# fleet.gp -- how a backlog ends, how a day's queue grows, how long requests take.
set terminal svg size 900,520 dynamic background rgb "white" font "sans,13"
set grid

set output "fleet-backlog.svg"
set title "all requests at once, a hundredth of them slow"
set xlabel "workers of one slot"
set ylabel "hours until all are done"
set logscale xy 2
set key top right
plot for [c = 0:2] "backlog-slow.dat" using 1:(column(2 + 4 * c)) \
	with linespoints linewidth 2 \
	title word("0 1 10", c + 1) . "% of the workers are lost in an hour"

set output "fleet-day.svg"
set title "one day's arrivals, a hundredth of them slow"
set ylabel "seconds from arrival to answer"
set logscale y 10
plot for [c = 3:5] "day.dat" using 1:(column(c)) with linespoints linewidth 2 \
	title word("median p95 p99", c - 2)

set output "fleet-queue.svg"
set title "one day's arrivals: how many requests wait"
unset logscale
set key top left
set xlabel "hours"
set ylabel "requests that wait (0 is drawn as 1)"
set logscale y 10
set yrange [1:100 < *]
plot for [n in "4 8 16"] "queue-" . n . ".dat" \
	using 1:($2 < 1 ? 1 : $2) with lines linewidth 2 \
	title n . " workers of one slot"
