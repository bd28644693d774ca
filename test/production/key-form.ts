import { until } from './processes.ts';
import type { Shape } from './shape.ts';

type InboxMail = {
  readonly to: readonly string[];
  readonly subject: string;
  readonly links: readonly string[];
};

/** Asks for a key by the form and confirms each address by its mail, as a browser does; the requests' ids. */
export async function askForKeys(
  shape: Shape,
  emails: readonly [string, string],
): Promise<readonly [string, string]> {
  for (const email of emails) {
    await form(`${shape.openApiUrl}/keys`, {
      email,
      project: 'Rebalancer',
      use: 'A bot that rebalances a small portfolio once an hour.',
      perDay: '10000',
      peakPerSecond: '2',
      swap: 'on',
    });
    let link: string | undefined;
    await until(`the mail to ${email}`, async () => {
      const answer = await fetch(`${shape.telegram.mailUrl}.json`);
      const mails = (await answer.json()) as readonly InboxMail[];
      link = mails.find(({ to, subject }) => to.includes(email) && /Confirm/.test(subject))?.links[0];
      return link !== undefined;
    });
    // The link leads to the public name; here the open host itself is asked.
    await form(`${shape.openApiUrl}${new URL(link ?? '').pathname}`, {});
  }
  const rows = await shape.sql<{ id: string; email: string }>('SELECT id, email FROM api_key_requests');
  const [first = '', second = ''] = emails.map((email) => rows.find((row) => row.email === email)?.id);
  return [first, second];
}

async function form(url: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const { ok, status } = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
    redirect: 'manual',
  });
  if (!ok && status !== 303) throw new Error(`${url}: ${status}`);
}
