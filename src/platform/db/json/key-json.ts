import { z } from 'zod';
import type { KeyGrant } from '../../../modules/keys/rules/key-request.ts';
import { API_SCOPES } from '../../../modules/keys/store/api-key-store-port.ts';
import type { Mail, MailTemplate } from '../../../modules/mail/store-port.ts';
import { count, exactly, orNull, rate, text } from './fields.ts';
import { type JsonColumn, jsonColumn } from './json-column.ts';

/** Columns of requests for keys, and of the mails about them. */

const grant = exactly<KeyGrant>({
  ratePerSecond: count,
  burst: count,
  dayQuota: orNull(count),
  maxReferrerFeeBps: rate,
  scopes: z.array(z.enum(API_SCOPES)),
  days: orNull(count),
});

/** A key is made from it. */
export const GRANTED = jsonColumn<KeyGrant>('api_key_requests.granted', [grant, grant]);

type Args = Mail['args'];
const args = (...names: readonly string[]): JsonColumn<Args> => {
  const fields = z.strictObject(Object.fromEntries(names.map((name) => [name, text])));
  const schema = fields;
  return jsonColumn<Args>('mails.args', [schema, schema]);
};

/** By the mail's template, which is in a column of its own. No link and no key has a place here. */
export const MAIL_ARGS: { readonly [T in MailTemplate]: JsonColumn<Args> } = {
  confirm: args(),
  question: args('project', 'question'),
  claim: args('project', 'limits'),
  refused: args('project', 'reason'),
  login: args(),
  rotate: args('key'),
  'notice-code': args(),
  notice: args(),
  'webhook-disabled': args('webhook', 'url', 'reason'),
};
