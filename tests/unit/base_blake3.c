/* base_blake3.c -- BLAKE3 against the published vectors and against itself. */
#include <stdlib.h>
#include <string.h>

#include "base/blake3.h"
#include "base/blake3_core.h"
#include "tap.h"

#define INPUT_BYTES 102400

static const char key_text[] = "whats the Elvish word for friend";
static const char context[] = "BLAKE3 2019-12-27 16:29:52 test vectors context";

/* From the test_vectors.json of the BLAKE3 project: the input is i % 251. */
static const struct {
	size_t n;
	const char *hash;
} plain_rows[] = {
	{ 0,
	  "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262" },
	{ 1,
	  "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213" },
	{ 1023,
	  "10108970eeda3eb932baac1428c7a2163b0e924c9a9e25b35bba72b28f70bd11" },
	{ 1024,
	  "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7" },
	{ 1025,
	  "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444" },
	{ 2048,
	  "e776b6028c7cd22a4d0ba182a8bf62205d2ef576467e838ed6f2529b85fba24a" },
	{ 2049, "5f4d72f40d7a5f82b15ca2b2e44b1de3c2ef86c426c95c1af0b68795225630"
		"3096" },
	{ 3073,
	  "7124b49501012f81cc7f11ca069ec9226cecb8a2c850cfe644e327d22d3e1cd3" },
	{ 5121,
	  "628bd2cb2004694adaab7bbd778a25df25c47b9d4155a55f8fbd79f2fe154cff" },
	{ 7169,
	  "a003fc7a51754a9b3c7fae0367ab3d782dccf28855a03d435f8cfe74605e7817" },
	{ 8192,
	  "aae792484c8efe4f19e2ca7d371d8c467ffb10748d8a5a1ae579948f718a2a63" },
	{ 8193,
	  "bab6c09cb8ce8cf459261398d2e7aef35700bf488116ceb94a36d0f5f1b7bc3b" },
	{ 16384,
	  "f875d6646de28985646f34ee13be9a576fd515f76b5b0a26bb324735041ddde4" },
	{ 31744,
	  "62b6960e1a44bcc1eb1a611a8d6235b6b4b78f32e7abc4fb4c6cdcce94895c47" },
	{ 102400,
	  "bc3e3d41a1146b069abffad3c0d44860cf664390afce4d9661f7902e7943e085" },
};

static const struct {
	size_t n;
	const char *keyed, *derived;
} mode_rows[] = {
	{ 0, "92b2b75604ed3c761f9d6f62392c8a9227ad0ea3f09573e783f1498a4ed60d26",
	  "2cc39783c223154fea8dfb7c1b1660f2ac2dcbd1c1de8277b0b0dd39b7e50d7d" },
	{ 1, "6d7878dfff2f485635d39013278ae14f1454b8c0a3a2d34bc1ab38228a80c95b",
	  "b3e2e340a117a499c6cf2398a19ee0d29cca2bb7404c73063382693bf66cb06c" },
	{ 1024,
	  "75c46f6f3d9eb4f55ecaaee480db732e6c2105546f1e675003687c31719c7ba4",
	  "7356cd7720d5b66b6d0697eb3177d9f8d73a4a5c5e968896eb6a6896843027066"
	  "c" },
	{ 8193,
	  "954a2a75420c8d6547e3ba5b98d963e6fa6491addc8c023189cc519821b4a1f5",
	  "af1e0346e389b17c23200270a64aa4e1ead98c61695d917de7d5b00491c9b0f1" },
	{ 102400,
	  "1c35d1a5811083fd7119f5d5d1ba027b4d01c0c6c49fb6ff2cf75393ea5db4a7",
	  "4652cff7a3f385a6103b5c260fc1593e13c778dbe608efb092fe7ee69df6e9c6" },
};

/* The first 131 bytes of the output for 1025 bytes. */
static const char long_output[] =
	"d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444"
	"f4c4a22b4b399155358a994e52bf255de60035742ec71bd08ac275a1b51cc6bf"
	"e332b0ef84b409108cda080e6269ed4b3e2c3f7d722aa4cdc98d16deb554e562"
	"7be8f955c98e1d5f9565a9194cad0c4285f93700062d9595adb992ae68ff1280"
	"0ab67a";

static uint8_t input[INPUT_BYTES];

static void hold(const struct blake3 *start, size_t n, const char *want)
{
	struct blake3 b = *start;
	uint8_t out[131];
	char hex[2 * sizeof out + 1];
	size_t len = strlen(want) / 2;

	blake3_update(&b, input, n);
	blake3_final(&b, out, len);
	for (size_t i = 0; i < len; i++)
		(void)sprintf(hex + 2 * i, "%02x", out[i]);
	ok_has(hex, want);
}

static void matches_the_published_hashes(void)
{
	struct blake3 b;

	blake3_init(&b);
	for (size_t i = 0; i < sizeof plain_rows / sizeof *plain_rows; i++)
		hold(&b, plain_rows[i].n, plain_rows[i].hash);
	hold(&b, 1025, long_output);
}

static void matches_the_published_keyed_and_derived(void)
{
	struct blake3 keyed, derived;

	blake3_init_keyed(&keyed, (const uint8_t *)key_text);
	blake3_init_derive(&derived, context);
	for (size_t i = 0; i < sizeof mode_rows / sizeof *mode_rows; i++) {
		hold(&keyed, mode_rows[i].n, mode_rows[i].keyed);
		hold(&derived, mode_rows[i].n, mode_rows[i].derived);
	}
}

static void digest_in_steps(size_t n, size_t step, uint8_t out[BLAKE3_BYTES])
{
	struct blake3 b;

	blake3_init(&b);
	for (size_t at = 0; at < n; at += step)
		blake3_update(&b, input + at, n - at < step ? n - at : step);
	blake3_final(&b, out, BLAKE3_BYTES);
}

/* Steps below 8193 bytes never use the code for eight chunks at once. */
static void is_the_same_in_steps_of_any_size(void)
{
	static const size_t around[] = { 64,    1024,  2048,  8192,
					 16384, 24576, 65536, 73728 };
	static const size_t steps[] = { 1, 63, 65, 1000, 1024, 8193, 20000 };

	for (size_t a = 0; a < sizeof around / sizeof *around; a++)
		for (size_t n = around[a] - 2; n <= around[a] + 2; n++) {
			uint8_t whole[BLAKE3_BYTES], parts[BLAKE3_BYTES];

			digest_in_steps(n, n, whole);
			for (size_t s = 0; s < sizeof steps / sizeof *steps;
			     s++) {
				digest_in_steps(n, steps[s], parts);
				ok(memcmp(whole, parts, sizeof whole) == 0);
			}
		}
}

static void batches_alike_on_every_machine(void)
{
	struct blake3_batch batch = { .blocks = 16,
				      .counter = 0xfffffffe,
				      .step = 1,
				      .flags = BLAKE3_KEYED,
				      .first_flags = BLAKE3_CHUNK_START,
				      .last_flags = BLAKE3_CHUNK_END };
	uint32_t fast[BLAKE3_LANES][8], plain[BLAKE3_LANES][8];

	for (size_t i = 0; i < BLAKE3_LANES; i++)
		batch.at[i] = input + 1024 * i + i;
	blake3_compress_batch(blake3_iv, &batch, fast);
	blake3_compress_batch_plain(blake3_iv, &batch, plain);
	ok(memcmp(fast, plain, sizeof fast) == 0);
	for (size_t i = 0; i < BLAKE3_LANES; i++) {
		uint32_t cv[16];

		memcpy(cv, blake3_iv, 32);
		for (size_t k = 0; k < 16; k++) {
			struct blake3_input in = {
				.block = batch.at[i] + 64 * k,
				.counter = batch.counter + i,
				.len = 64,
				.flags = BLAKE3_KEYED | (k == 0 ? 1U : 0) |
					 (k == 15 ? 2U : 0),
			};
			uint32_t all[16];

			blake3_compress(cv, &in, all);
			memcpy(cv, all, 32);
		}
		ok(memcmp(cv, plain[i], 32) == 0);
	}
}

static void goes_on_after_a_final(void)
{
	struct blake3 b;
	uint8_t early[BLAKE3_BYTES], late[BLAKE3_BYTES], whole[BLAKE3_BYTES];

	blake3_init(&b);
	blake3_update(&b, input, 3000);
	blake3_final(&b, early, sizeof early);
	blake3_update(&b, input + 3000, 1000);
	blake3_final(&b, late, sizeof late);
	digest_in_steps(4000, 4000, whole);
	ok(memcmp(late, whole, sizeof whole) == 0);
	ok(memcmp(early, late, sizeof late) != 0);
}

static void writes_the_hash_as_text(void)
{
	char text[BLAKE3_TEXT_BYTES];

	blake3_hex_text("", 0, text);
	ok_int(strcmp(text, "blake3:af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9"
			    "adc112b7cc9a93cae41f3262"),
	       0);
}

int main(void)
{
	for (size_t i = 0; i < INPUT_BYTES; i++)
		input[i] = (uint8_t)(i % 251);
	return tap_run((struct tap_case[]){
		CASE(matches_the_published_hashes),
		CASE(matches_the_published_keyed_and_derived),
		CASE(is_the_same_in_steps_of_any_size),
		CASE(batches_alike_on_every_machine),
		CASE(goes_on_after_a_final), CASE(writes_the_hash_as_text),
		TAP_END });
}
