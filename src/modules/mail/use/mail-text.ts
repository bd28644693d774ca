import type { KeyMailTemplate, Mail } from '../store-port.ts';

export type MailText = { readonly subject: string; readonly text: string };

/**
 * The plain text of a mail about keys. The first mail to an address holds no text of the form. A person who enters another's address must
 * not be able to send them words or links of their own.
 */
export function mailText(
  mail: Pick<Mail, 'args'> & { readonly template: KeyMailTemplate },
  facts: { readonly link: string | null; readonly key: string | null; readonly apiUrl: string },
): MailText {
  const { args } = mail;
  const project = args['project'] ?? '';
  const link = facts.link ?? '';
  switch (mail.template) {
    case 'confirm':
      return letter('Confirm your request for an API key', [
        'Somebody, most likely you, asked for an API key of Tradepost with this e-mail address.',
        `Open this page and press the button there to send the request on:\n${link}`,
        'The link works for 24 hours. If it was not you, do nothing: the request is then forgotten.',
      ]);
    case 'question':
      return letter('A question about your request for an API key', [
        `About your request for "${project}" the operator asks:`,
        quoted(args['question'] ?? ''),
        `Answer on this page:\n${link}`,
        'The link works for 14 days.',
      ]);
    case 'claim':
      return facts.key === null
        ? letter('Your API key is granted', [
            `Your request for "${project}" is granted: ${args['limits'] ?? ''}.`,
            `Open this page and press the button there. The key is made at that moment and shown once:\n${link}`,
            'The link works once, for 7 days. If it was used before you opened it, the page says when, and lets you revoke that key.',
          ])
        : letter('Your API key', [
            `Your request for "${project}" is granted: ${args['limits'] ?? ''}. This is the key:`,
            facts.key,
            'Send it in the header x-api-key. Whoever reads this mail can use it: keep the key elsewhere and delete the mail.',
          ]);
    case 'refused':
      return letter('Your request for an API key', [
        `Your request for "${project}" was not granted. The operator's reason:`,
        quoted(args['reason'] ?? ''),
        `The open host needs no key: ${facts.apiUrl}/docs`,
      ]);
    case 'rotate':
      return letter('A new API key in place of the old one', [
        `A new key in place of ${args['key'] ?? ''} was asked for.`,
        `Open this page and press the button there. The new key is made at that moment and shown once:\n${link}`,
        'The old key works for 7 days from then on. Until you press the button nothing changes. The link works for 7 days.',
      ]);
    case 'webhook-disabled':
      return letter('A webhook of yours was disabled', [
        `The webhook ${args['webhook'] ?? ''} is no longer called: ${args['reason'] ?? ''}.`,
        `Its address:\n${args['url'] ?? ''}`,
        'Events that it missed are kept for 30 days. POST /webhooks/{id}/replay takes it up again and sends them.',
      ]);
    case 'login':
      return letter('Your way into your API account', [
        `Open this page and press the button there:\n${link}`,
        'The link works once, for 15 minutes. If you did not ask for it, do nothing.',
      ]);
  }
}

function letter(subject: string, paragraphs: readonly string[]): MailText {
  return { subject, text: `${['Hello,', ...paragraphs].join('\n\n')}\n\n-- \nTradepost\n` };
}

/** Another person's words, marked as such on every line. */
function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}
