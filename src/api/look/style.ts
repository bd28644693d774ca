/** The one style of the pages for people: colours, sizes and spaces of one set, light and dark, from 360 px on. */
export const STYLE = `:root{color-scheme:light dark;--ground:#f6f7f9;--card:#fff;--line:#e3e7ee;--text:#10141c;--soft:#5b6578;--accent:#1f5fd6;--on-accent:#fff;--well:#eef1f6;--ok:#1a7f4b;--ok-tint:#e7f5ec;--care:#8a5a00;--care-tint:#fdf3dd;--block:#b3261e;--block-tint:#fce9e7;--up:#0072b2;--down:#d55e00;--shadow:0 1px 2px rgb(16 20 28/.04),0 8px 24px rgb(16 20 28/.06)}
@media(prefers-color-scheme:dark){:root{--ground:#0c1017;--card:#10141c;--line:#232a38;--text:#f4f6fb;--soft:#9aa4b8;--accent:#6ea8ff;--on-accent:#0c1017;--well:#181e2a;--ok:#5fd39a;--ok-tint:#11291d;--care:#f0b94b;--care-tint:#2b2110;--block:#ff8a80;--block-tint:#331614;--up:#56b4e9;--down:#e69f00;--shadow:none}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:flex;flex-direction:column;background:var(--ground);color:var(--text);font:16px/1.55 system-ui,sans-serif;font-variant-numeric:tabular-nums;-webkit-text-size-adjust:100%}
a{color:var(--accent);text-underline-offset:3px}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:6px}
.ribbon{margin:0;padding:4px 16px;background:#ffd34d;color:#2b2000;font-size:14px;font-weight:600;text-align:center}
.top{border-bottom:1px solid var(--line);background:var(--card)}
.top>div,.foot>div,main{width:100%;max-width:1120px;margin:0 auto;padding:0 24px}
.top>div{display:flex;align-items:center;gap:8px 24px;flex-wrap:wrap;min-height:64px}
.mark{display:flex;align-items:center;gap:12px;min-height:44px;color:var(--text);font-weight:650;letter-spacing:-.01em;text-decoration:none}
.mark svg{width:28px;height:28px;display:block}
nav{display:flex;gap:4px;margin-left:auto}
nav a{padding:8px 12px;min-height:40px;display:flex;align-items:center;border-radius:8px;color:var(--soft);font-size:14px;font-weight:550;text-decoration:none}
nav a:hover{background:var(--well);color:var(--text)}
nav a[aria-current]{background:var(--well);color:var(--text)}
main{flex:1;padding-top:48px;padding-bottom:64px}
.foot{border-top:1px solid var(--line);color:var(--soft);font-size:14px}
.foot>div{padding-top:20px;padding-bottom:24px;display:flex;gap:4px 24px;flex-wrap:wrap}
.foot p{margin:0}
h1{margin:0 0 12px;font-size:28px;line-height:1.2;letter-spacing:-.02em;font-weight:680}
h2{margin:0 0 16px;font-size:20px;line-height:1.3;letter-spacing:-.01em;font-weight:650}
p{margin:0 0 16px}
.lead{max-width:62ch;margin-bottom:32px;color:var(--soft)}
.soft{color:var(--soft)}
.small{font-size:14px}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;box-shadow:var(--shadow);padding:28px}
.card>:last-child,.note>:last-child{margin-bottom:0}
.card+.card,.note+.card,.card+.note{margin-top:24px}
.columns{display:grid;grid-template-columns:minmax(0,1fr) 340px;gap:24px;align-items:start}
.narrow{max-width:560px;margin:24px auto 0}
.narrow h1{margin-bottom:16px}
.steps{margin:0;padding:0;list-style:none;counter-reset:step}
.steps li{position:relative;padding:0 0 20px 44px;counter-increment:step}
.steps li:last-child{padding-bottom:0}
.steps li::before{content:counter(step);position:absolute;left:0;top:0;width:28px;height:28px;border-radius:50%;background:var(--well);color:var(--text);font-size:14px;font-weight:650;line-height:28px;text-align:center}
.steps li:not(:last-child)::after{content:"";position:absolute;left:13.5px;top:32px;bottom:4px;width:1px;background:var(--line)}
.steps b{display:block;font-weight:600}
.field{margin:0 0 24px}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:0 16px}
label,legend{display:block;padding:0;margin-bottom:6px;font-weight:600}
.hint{margin:-2px 0 8px;color:var(--soft);font-size:14px;line-height:1.45}
input,textarea{width:100%;min-height:44px;padding:10px 12px;border:1px solid #8a94a6;border-radius:8px;background:var(--card);color:inherit;font:inherit}
textarea{min-height:128px;resize:vertical;line-height:1.5}
input:focus-visible,textarea:focus-visible{outline-offset:0;border-color:var(--accent)}
[aria-invalid]{border-color:var(--block)}
.fault{margin:6px 0 0;color:var(--block);font-size:14px}
fieldset{margin:0 0 24px;padding:0;border:0;min-width:0}
.tick{display:flex;gap:12px;align-items:flex-start;min-height:44px;margin:0 0 8px;padding:10px 14px;border:1px solid var(--line);border-radius:8px;font-weight:400;cursor:pointer}
.tick:hover{border-color:#8a94a6}
.tick input{flex:none;width:18px;height:18px;min-height:0;margin:3px 0 0;padding:0;accent-color:var(--accent)}
.tick b{font-weight:600}
.actions{display:flex;gap:12px;flex-wrap:wrap;align-items:center}
button,.button{display:inline-flex;align-items:center;justify-content:center;min-height:44px;padding:10px 20px;border:1px solid transparent;border-radius:8px;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;text-decoration:none;cursor:pointer}
button:hover,.button:hover{filter:brightness(1.08)}
.quiet{background:transparent;border-color:#8a94a6;color:var(--text)}
.danger{background:var(--block);color:var(--card)}
.note{margin:0 0 24px;padding:16px 20px;border-radius:12px;background:var(--well)}
.note p{margin-bottom:4px}
.ok{background:var(--ok-tint);color:var(--ok)}
.care{background:var(--care-tint);color:var(--care)}
.bad{background:var(--block-tint);color:var(--block)}
.limits{display:grid;grid-template-columns:repeat(3,1fr);gap:8px;margin:0 0 24px}
.limits div{padding:12px 16px;border-radius:10px;background:var(--well)}
.limits dt{color:var(--soft);font-size:14px}
.limits dd{margin:0;font-size:20px;font-weight:650;letter-spacing:-.01em}
code,.mono{font-family:ui-monospace,SFMono-Regular,Menlo,monospace;font-size:14px}
.key{display:block;margin:0 0 20px;padding:16px 20px;border:1px solid var(--line);border-radius:10px;background:var(--well);font-size:16px;line-height:1.6;overflow-wrap:anywhere;user-select:all}
blockquote{margin:0 0 20px;padding:12px 20px;border-left:3px solid var(--accent);border-radius:0 8px 8px 0;background:var(--well);white-space:pre-wrap;overflow-wrap:anywhere}
table{width:100%;border-collapse:collapse;font-size:14px}
th{padding:0 12px 8px 0;color:var(--soft);font-weight:550;text-align:left}
td{padding:10px 12px 10px 0;border-top:1px solid var(--line);vertical-align:top}
th:last-child,td:last-child{padding-right:0}
.number{text-align:right;white-space:nowrap}
.scroll{overflow-x:auto}
.chip{display:inline-block;padding:2px 10px;border-radius:999px;font-size:14px;font-weight:600;white-space:nowrap}
.head{display:flex;justify-content:space-between;gap:16px;align-items:flex-start;flex-wrap:wrap}
.days{display:block;width:100%;height:auto;margin:8px 0 4px}
.days .fine{fill:var(--up)}.days .refused{fill:var(--down)}.days .base{fill:var(--line)}
.axis{display:flex;justify-content:space-between;margin:0 0 24px;color:var(--soft);font-size:14px}
.swatch{display:inline-block;width:10px;height:10px;margin-right:6px;border-radius:3px;background:var(--up)}
.swatch.two{margin-left:16px;background:var(--down)}
@media(max-width:860px){.columns{grid-template-columns:minmax(0,1fr)}}
@media(max-width:560px){.top>div,.foot>div,main{padding-left:16px;padding-right:16px}.top>div{padding-top:8px;padding-bottom:8px}nav{margin-left:-12px;width:calc(100% + 12px)}main{padding-top:28px;padding-bottom:40px}.card{padding:20px}.narrow{margin-top:0}.pair{grid-template-columns:1fr}.limits{grid-template-columns:1fr}.limits div{display:flex;justify-content:space-between;align-items:baseline}.actions button,.actions .button{width:100%}.stack thead{display:none}.stack tr{display:block;padding:12px 0;border-top:1px solid var(--line)}.stack tr:first-child{border-top:0}.stack td{display:flex;justify-content:space-between;gap:16px;padding:4px 0;border:0;text-align:right}.stack td::before{content:attr(data-label);flex:none;color:var(--soft);text-align:left}}
@media(prefers-reduced-motion:reduce){*{transition:none!important;animation:none!important}}
`;
