'use strict';

const table = { there: { value: 1 } };
const first = table.there.value; // @here first

module.exports = { first };
