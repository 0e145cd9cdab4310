'use strict';

const table = {};
const before = 'x'.length; // @here before
const first = table.missing.value; // @here first

module.exports = { before, first };
