(function (root, factory) {
	if (typeof module === 'object' && module.exports)
		module.exports = factory();
	else
		root.Legacy = factory();
})(this, function () {
	function Stack(items) {
		this.items = items || [];
	}

	Stack.prototype.top = function () {
		return this.items[this.items.length - 1].value; // @here top
	};

	Stack.prototype.topSafe = function () {
		var last = this.items[this.items.length - 1];
		return last ? last.value : null; // @here topSafe
	};

	function hidden(list) {
		return list[0].x; // @here hidden
	}

	return { Stack: Stack };
});
