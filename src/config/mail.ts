import { z } from 'zod';
import type { Environment } from './environment.ts';
import { sender, url } from './fields.ts';

/** The mail server that is used, and who the mails are from. */
export type MailConfig = { readonly url: string; readonly from: string };

/** Outgoing mail. */
export const mailVariables = {
  SMTP_URL: url(['smtp:', 'smtps:'], 'smtps://user:password@mail.example.org').optional(),
  MAIL_FROM: sender.optional(),
  KEY_MAIL: z.enum(['link', 'key']).default('link'),
};

export function mailProblems(env: Environment): string[] {
  if (env.SMTP_URL === undefined) return [];
  const problems: string[] = [];
  if (env.MAIL_FROM === undefined)
    problems.push('MAIL_FROM: missing. SMTP_URL needs the address that the mails are from.');
  if (env.NODE_ENV !== 'production') return problems;
  // A link to a key goes over TLS or not at all.
  if (env.PUBLIC_URL?.startsWith('https:') !== true)
    problems.push(
      'PUBLIC_URL: missing or not https. SMTP_URL sends links to the open host, so it must be known.',
    );
  if (env.KEY_MAIL === 'key' && env.API_KEY_SECRET === undefined)
    problems.push(
      'API_KEY_SECRET: missing. KEY_MAIL=key makes keys in the worker, which needs it as the api does.',
    );
  return problems;
}

/** The mail server of the environment; null = none is named. */
export function mailConfig(env: Environment): MailConfig | null {
  return env.SMTP_URL === undefined || env.MAIL_FROM === undefined
    ? null
    : { url: env.SMTP_URL, from: env.MAIL_FROM };
}
