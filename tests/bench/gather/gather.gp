# gather.gp -- medians of gather.dat, side by side for each repository.
set terminal svg size 900,520 dynamic background rgb "white" font "sans,13"
set output "gather.svg"
set title "one gather: medians, interleaved, one unprivileged user"
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.8 border -1
set boxwidth 0.9
set logscale y
set ylabel "milliseconds (logarithmic)"
set key top left
set grid ytics
plot for [c = 2:5] "gather.dat" using c:xtic(1) title columnheader(c)
