/* hello.c -- a test that passes, and one that says that it was skipped. */
int main(int argc, char *argv[])
{
	(void)argv;
	return argc > 1 ? 77 : 0;
}
