/* html_style.h -- the page's style, and its SHA-256 as the page's policy has it.
 * tests/live/gate.t computes the hash anew; tests/golden/gate_show.c has the page. */
#ifndef CUPEL_JOBS_GATE_SHOW_HTML_STYLE_H
#define CUPEL_JOBS_GATE_SHOW_HTML_STYLE_H

#define HTML_STYLE_HASH "XZemE94Z+ardMsTniXw7p6kaiMCX00JGZcvMtoCFpao="
#define HTML_STYLE                                                             \
	":root{color-scheme:light dark;--ink:#1c1e21;--soft:#5b626b;"          \
	"--line:#d5d9de;--paper:#fff;--good:#0a6b34;--bad:#a8201a;"            \
	"--new:#fff1c2}"                                                       \
	"@media(prefers-color-scheme:dark){:root{--ink:#e6e8ea;"               \
	"--soft:#a2a9b1;--line:#3a4047;--paper:#16181b;--good:#5ecb8a;"        \
	"--bad:#ff8a80;--new:#4a3b00}}"                                        \
	"*{box-sizing:border-box}"                                             \
	"body{margin:0 auto;max-width:70rem;padding:1rem;background:"          \
	"var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;"    \
	"overflow-wrap:anywhere}"                                              \
	"h1{font-size:1.5rem;margin:.2rem 0}h2{font-size:1.15rem;"             \
	"margin:0 0 .4rem}h3{font-size:1rem;margin:.8rem 0 .2rem}"             \
	".good{color:var(--good)}.bad{color:var(--bad)}"                       \
	".soft{color:var(--soft)}"                                             \
	"ol.time{list-style:none;margin:1.2rem 0;padding:0 0 0 1rem;"          \
	"border-left:3px solid var(--line)}"                                   \
	"ol.time>li{margin:0 0 1.6rem}"                                        \
	"dl{display:grid;grid-template-columns:minmax(7rem,14rem) 1fr;"        \
	"gap:.1rem 1rem;margin:.2rem 0}dt{color:var(--soft)}dd{margin:0}"      \
	"@media(max-width:40rem){dl{display:block}dd{margin:0 0 .3rem 1rem}}"  \
	".wide{overflow-x:auto}table{border-collapse:collapse;width:100%}"     \
	"th,td{text-align:left;padding:.2rem .8rem .2rem 0;border-bottom:"     \
	"1px solid var(--line);vertical-align:top}"                            \
	"pre{overflow-x:auto;margin:.3rem 0;padding:.6rem;border:1px solid "   \
	"var(--line);font:.85rem/1.4 ui-monospace,monospace}"                  \
	"mark{background:var(--new);color:inherit}"                            \
	"summary{cursor:pointer}"

#endif
