module example.org/hello

go 1.18
