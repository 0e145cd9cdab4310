use Test::More skip_all => 'not here';
