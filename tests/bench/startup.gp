# startup.gp -- how the start-up times of startup.dat are spread.
stats "startup.dat" using 1 nooutput
n = STATS_records
top = 0 # twice the slowest quartile: the far tail is in the table
do for [c = 2:5] {
	stats "startup.dat" using (column(c) / 1000) nooutput
	top = STATS_up_quartile * 2 > top ? STATS_up_quartile * 2 : top
}
set terminal svg size 900,520 dynamic background rgb "white" font "sans,13"
set output "startup.svg"
set title "start to reap of /bin/true, interleaved, one unprivileged user"
set xlabel "milliseconds"
set ylabel "share of the runs at or below"
set key bottom right
set grid
set yrange [0:1]
set xrange [0:top]
plot for [c = 2:5] "startup.dat" using (column(c) / 1000):(1.0 / n) \
	smooth cumulative with lines linewidth 2 \
	title word("none floor bwrap cupel", c - 1)
