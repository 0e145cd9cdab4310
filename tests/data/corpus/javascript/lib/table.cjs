'use strict';
module.exports = { main: { width: 3 } };
