import { type Mailbox, piecesOf, type ReceivedMail } from './mailbox.ts';

export const INBOX_STYLE = `:root{color-scheme:light dark;--ground:#f6f7f9;--card:#fff;--line:#e3e7ee;--text:#10141c;--soft:#5b6578;--accent:#1f5fd6;--well:#eef1f6;--block:#b3261e}
@media(prefers-color-scheme:dark){:root{--ground:#0c1017;--card:#10141c;--line:#232a38;--text:#f4f6fb;--soft:#9aa4b8;--accent:#6ea8ff;--well:#181e2a;--block:#ff8a80}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;background:var(--ground);color:var(--text);font:16px/1.55 system-ui,sans-serif}
a{color:var(--accent);text-underline-offset:3px}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:6px}
.ribbon{margin:0;padding:4px 16px;background:#ffd34d;color:#2b2000;font-size:14px;font-weight:600;text-align:center}
header{display:flex;align-items:center;gap:8px 20px;flex-wrap:wrap;min-height:64px;padding:8px 24px;border-bottom:1px solid var(--line);background:var(--card)}
header b{font-size:20px;letter-spacing:-.01em}
header a{display:flex;align-items:center;min-height:40px;font-size:14px}
header .count{color:var(--soft);font-size:14px;margin-left:auto}
.panes{display:grid;grid-template-columns:360px minmax(0,1fr);max-width:1240px;margin:0 auto;padding:24px;gap:24px;align-items:start}
.list{margin:0;padding:0;list-style:none;overflow:hidden;border:1px solid var(--line);border-radius:12px;background:var(--card)}
.list a{display:block;padding:14px 18px;border-top:1px solid var(--line);color:inherit;text-decoration:none}
.list li:first-child a{border-top:0}
.list a:hover{background:var(--well)}
.list [aria-current]{background:var(--well);box-shadow:inset 3px 0 var(--accent)}
.list b{display:block;font-weight:600;overflow-wrap:anywhere}
.list span{display:flex;justify-content:space-between;gap:12px;color:var(--soft);font-size:14px}
.list .to{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.mail{padding:28px;border:1px solid var(--line);border-radius:12px;background:var(--card)}
h1{margin:0 0 16px;font-size:20px;line-height:1.3;letter-spacing:-.01em;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:auto minmax(0,1fr);gap:4px 16px;margin:0 0 24px;padding-bottom:20px;border-bottom:1px solid var(--line);font-size:14px}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
.text{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}
form{margin:28px 0 0;padding-top:20px;border-top:1px solid var(--line);display:flex;gap:12px 16px;flex-wrap:wrap;align-items:center}
form p{margin:0;flex:1 1 240px;color:var(--soft);font-size:14px}
button{min-height:40px;padding:8px 16px;border:1px solid #8a94a6;border-radius:8px;background:transparent;color:inherit;font:inherit;font-size:14px;font-weight:600;cursor:pointer}
button:hover{background:var(--well)}
.empty{max-width:480px;margin:15vh auto;padding:0 24px;color:var(--soft);text-align:center}
.bounced{grid-column:1/-1;margin:0;padding:12px 18px;border-radius:12px;background:var(--well);font-size:14px;overflow-wrap:anywhere}
.back{display:none}
@media(max-width:860px){.panes{grid-template-columns:minmax(0,1fr);padding:16px;gap:16px}header{padding:8px 16px}.mail{padding:20px}.one .list,.all .mail{display:none}.one .back{display:flex}}
`;

/** Mails like a mail program shows them: the list, and beside it one mail as text. Everything is escaped; nothing runs. */
export function inboxPage(mailbox: Mailbox, chosen: ReceivedMail | null): string {
  const mails = mailbox.list();
  const shown = chosen ?? mails[0] ?? null;
  const body =
    shown === null
      ? '<p class="empty">No mail yet. What the service sends, to whatever address, arrives here: ask for an API key, for example.</p>'
      : `<div class="panes ${chosen === null ? 'all' : 'one'}">${bouncedNote(mailbox)}<ul class="list">${mails
          .map((mail) => listItem(mail, mail.id === shown.id))
          .join('')}</ul>${mailView(shown, mailbox)}</div>`;
  // The list looks again by itself; a mail that is being read stays.
  const refresh = chosen === null ? '<meta http-equiv="refresh" content="3">' : '';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${refresh}<title>Inbox · local mail</title><link rel="icon" href="/icon.svg"><style>${INBOX_STYLE}</style></head><body>
<p class="ribbon">Local: no mail leaves this machine</p>
<header><b>Inbox</b><a href="/">← Chats</a><a class="back" href="/mail">All mails</a><span class="count">${mails.length === 1 ? '1 mail' : `${mails.length} mails`}</span></header>
<main>${body}</main></body></html>`;
}

function listItem(mail: ReceivedMail, isShown: boolean): string {
  const current = isShown ? ' aria-current="true"' : '';
  return `<li><a href="/mail/${mail.id}"${current}><b>${escapeText(mail.subject)}</b><span><span class="to">${escapeText(mail.to.join(', '))}</span>${timeOf(mail.at)}</span></a></li>`;
}

function mailView(mail: ReceivedMail, mailbox: Mailbox): string {
  const text = piecesOf(mail.text)
    .map((piece) =>
      piece.isLink
        ? `<a href="${escapeText(piece.text)}" rel="noreferrer">${escapeText(piece.text)}</a>`
        : escapeText(piece.text),
    )
    .join('');
  const forms = mail.to.map((address) => bounceForm(address, mailbox.bounces(address))).join('');
  return `<article class="mail"><h1>${escapeText(mail.subject)}</h1><dl><dt>From</dt><dd>${escapeText(mail.from)}</dd><dt>To</dt><dd>${escapeText(mail.to.join(', '))}</dd><dt>At</dt><dd>${new Date(mail.at).toISOString().slice(0, 19).replace('T', ' ')} UTC</dd></dl><p class="text">${text}</p>${forms}</article>`;
}

function bounceForm(address: string, isBounced: boolean): string {
  const what = isBounced
    ? `Mails to ${escapeText(address)} are refused with 550.`
    : 'Try a bounce: refuse the next mails to this address.';
  const button = isBounced ? 'Take its mail again' : 'Bounce this address';
  return `<form method="post" action="/mail/bounce"><input type="hidden" name="address" value="${escapeText(address)}"><input type="hidden" name="on" value="${isBounced ? '0' : '1'}"><p>${what}</p><button>${button}</button></form>`;
}

function bouncedNote(mailbox: Mailbox): string {
  const bounced = mailbox.bounced();
  return bounced.length === 0 ? '' : `<p class="bounced">Bouncing: ${escapeText(bounced.join(', '))}</p>`;
}

const timeOf = (at: number): string => new Date(at).toISOString().slice(11, 19);

function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
