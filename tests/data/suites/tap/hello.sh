echo 1..2
echo 'ok 1 - adds'
echo 'ok 2 - later # SKIP not here'
