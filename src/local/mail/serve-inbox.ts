import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { INBOX_STYLE, inboxPage } from './inbox-page.ts';
import type { Mailbox } from './mailbox.ts';

const CSP = `default-src 'none'; img-src 'self'; style-src 'sha256-${createHash('sha256')
  .update(INBOX_STYLE)
  .digest('base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
const MAX_FORM = 2_048;

/** `/mail`, `/mail/<n>`, `/mail.json` and the form that makes an address bounce. The caller has checked the Host header. */
export async function serveInbox(
  mailbox: Mailbox,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  response.setHeader('content-security-policy', CSP);
  // Not `no-referrer`: with that a browser sends its own forms from nowhere, and the check below could not know them.
  response.setHeader('referrer-policy', 'same-origin');
  response.setHeader('cache-control', 'no-store');
  if (path === '/mail/bounce' && request.method === 'POST') return bounce(mailbox, request, response);
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return end(response, 405, 'text/plain', 'Expected GET.\n');
  if (path === '/mail.json') return end(response, 200, 'application/json', JSON.stringify(mailbox.list()));
  const id = /^\/mail\/(\d{1,9})$/.exec(path)?.[1];
  const chosen = id === undefined ? null : mailbox.find(Number(id));
  if (chosen === undefined || (id === undefined && path !== '/mail'))
    return end(response, 404, 'text/plain', 'No such mail.\n');
  return end(response, 200, 'text/html', inboxPage(mailbox, chosen));
}

/** Only from our own page: any site that the developer visits could send a form here. */
async function bounce(mailbox: Mailbox, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { origin, host } = request.headers;
  if (origin !== `http://${host}`)
    return end(response, 403, 'text/plain', 'Expected the form of the inbox.\n');
  let form = '';
  for await (const chunk of request) {
    form += String(chunk);
    if (form.length > MAX_FORM) return end(response, 413, 'text/plain', 'Too large.\n');
  }
  const fields = new URLSearchParams(form);
  const address = fields.get('address') ?? '';
  if (address !== '') mailbox.setBounce(address, fields.get('on') === '1');
  response.writeHead(303, { location: '/mail' });
  response.end();
}

function end(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': `${type}; charset=utf-8` });
  response.end(body);
}
