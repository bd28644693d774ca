import type { LinkTokens } from '../../../platform/ports/link-tokens.ts';
import type { Mail } from '../store-port.ts';

const MARK_BYTES = 8;
const BETWEEN = '#';

/** The subject of a mail's link. A question's link is about that question of the request, and of no later one. */
export function linkSubject(
  tokens: Pick<LinkTokens, 'hash'>,
  { template, subject, args }: Pick<Mail, 'template' | 'subject' | 'args'>,
): string {
  const { question } = args;
  return template === 'question' && question !== undefined
    ? `${subject}${BETWEEN}${markOf(tokens, question)}`
    : subject;
}

/** The request that a link is about. */
export function requestOfLink(subject: string): string {
  return subject.split(BETWEEN)[0] ?? subject;
}

/** Whether a link answers this question. A link of a former version names none, and answers the present question. */
export function answers(tokens: Pick<LinkTokens, 'hash'>, subject: string, question: string | null): boolean {
  const [, mark] = subject.split(BETWEEN);
  return question !== null && (mark === undefined || mark === markOf(tokens, question));
}

function markOf(tokens: Pick<LinkTokens, 'hash'>, question: string): string {
  return Buffer.from(tokens.hash(question).subarray(0, MARK_BYTES)).toString('hex');
}
