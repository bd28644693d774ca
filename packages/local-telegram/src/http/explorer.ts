/** A page about one transaction: plain HTML, escaped, no script. `data` is the chain's record of it, in any form. */
export function explorerPage(signature: string, data: unknown): string {
  const body =
    data === undefined || data === null
      ? '<p class="missing">The local chain knows no transaction with this signature.</p>'
      : render(data, 0);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Transaction ${escapeHtml(signature.slice(0, 8))}…</title><link rel="icon" href="/icon.svg"><link rel="stylesheet" href="/style.css"></head>
<body class="explorer"><p class="banner">Local – no real funds</p>
<main><a href="/">← Chats</a><h1>Transaction</h1><p class="signature"><code>${escapeHtml(signature)}</code></p>
${body}</main></body></html>`;
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

const MAX_DEPTH = 6;

function render(value: unknown, depth: number): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return '<span class="none">none</span>';
    if (depth >= MAX_DEPTH) return leaf(value);
    if (value.every((item) => typeof item === 'string') && value.some((item: string) => item.length > 48)) {
      return `<pre>${value.map((line: string) => escapeHtml(line)).join('\n')}</pre>`;
    }
    return `<ol>${value.map((item: unknown) => `<li>${render(item, depth + 1)}</li>`).join('')}</ol>`;
  }
  if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return leaf(value);
  const rows = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => `<dt>${escapeHtml(words(key))}</dt><dd>${render(item, depth + 1)}</dd>`);
  return rows.length === 0 ? '<span class="none">none</span>' : `<dl>${rows.join('')}</dl>`;
}

function leaf(value: unknown): string {
  if (value === null) return '<span class="none">none</span>';
  if (typeof value === 'object') {
    return `<pre>${escapeHtml(JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? String(item) : item), 1))}</pre>`;
  }
  return `<code>${escapeHtml(String(value))}</code>`;
}

/** `blockTime` reads "block time". */
function words(key: string): string {
  return key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
}
