#!/usr/bin/perl
use Test::More skip_all => 'not here';
