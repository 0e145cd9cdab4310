package hello

import "testing"

func TestAdds(t *testing.T) {
	if 1+1 != 2 {
		t.Fatal("no")
	}
}

func TestGroup(t *testing.T) {
	t.Run("inner", func(t *testing.T) {})
}

func TestSkipped(t *testing.T) {
	t.Skip("later")
}
