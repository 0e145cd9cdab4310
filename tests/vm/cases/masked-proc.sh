# masked-proc.sh -- files of /proc are covered, as container engines do: the
# kernel then gives nobody a /proc of his own.
. "$SRC/tests/vm/case.sh"
mount --bind /dev/null /proc/timer_list
mount --bind /dev/null /proc/kcore
for uid in 0 65534; do
	doctor $uid 3 '^NO .*/proc' 'PROC_MASKED'
	exits $uid 1 '/proc' "$cupel" run --repo /tmp/repo -- echo it ran
	walls $uid --backend landlock
	walls $uid --allow-partial
done
finish
