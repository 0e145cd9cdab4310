#!/usr/bin/perl
use strict;
use warnings;
use Test::More tests => 2;

is(1 + 1, 2, 'adds');
ok(-d 't', 'is in the repository');
