import { parseUnits } from '../../../core/amounts/decimal.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { LinkName } from '../../../core/metadata/token-document.ts';
import { DEFAULT_DECIMALS, planToken } from '../../../core/mint/plan-token.ts';
import type { TokenProblem } from '../../../core/mint/problem.ts';
import type { TokenDraft } from '../../../core/mint/token-draft.ts';
import type { Answers } from '../../dialog/form.ts';

/**
 * What the wizard has collected, as a draft for the mint engine, which judges it. Nothing is refused here: what a person
 * typed wrongly goes on as they typed it, so that there is one judge and one sentence for each fault.
 */
export function draftOf(answers: Answers): Omit<TokenDraft, 'payer' | 'newMint'> {
  const own = ownUri(answers);
  return {
    symbol: answers['symbol'] ?? '',
    ...given('name', answers['name']),
    program: answers['type'] ?? 'token',
    ...(own === null ? { metadata: metadataOf(answers) } : { metadataUri: own }),
    decimals: decimalsOf(answers),
    mintSupply: (answers['supply'] ?? '1000000000').replaceAll(/[,_\s]/g, ''),
    mintToPubkey: answers['to'] || (answers['wallet'] ?? ''),
    mintAuthority: answers['mint_authority'] !== '0',
    freezeAuthority: answers['freeze_authority'] === '1',
    updateAuthority: answers['update_authority'] !== '0',
    ...(answers['type'] === 'token2022' ? powersOf(answers) : {}),
  };
}

/** Every problem of the draft, before the chain is asked. A symbol that was not asked for yet is none. */
export function draftProblems(answers: Answers): readonly TokenProblem[] {
  const plan = planToken({
    ...draftOf({ ...answers, symbol: answers['symbol'] || 'X' }),
    payer: answers['wallet'] ?? '',
  });
  return plan.kind === 'refused' ? plan.problems : [];
}

/** Throws TOKEN_REQUEST_INVALID with the problems of the named fields (or of those below them), if there are any. */
export function assertFields(answers: Answers, fields: readonly string[]): void {
  const problems = draftProblems(answers).filter(({ field }) =>
    fields.some((name) => field === name || field.startsWith(`${name}.`)),
  );
  if (problems.length > 0) throw new AppError('TOKEN_REQUEST_INVALID', { problems });
}

/** The creator's own metadata link; null when the document is ours. */
export function ownUri(answers: Answers): string | null {
  const picture = answers['picture'] ?? '';
  return picture.startsWith('uri:') ? picture.slice('uri:'.length) : null;
}

export function decimalsOf(answers: Answers): number {
  const text = answers['decimals'] ?? String(DEFAULT_DECIMALS);
  return /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
}

const HOSTS: readonly (readonly [RegExp, LinkName])[] = [
  [/^(?:www\.)?(?:t\.me|telegram\.me)$/i, 'telegram'],
  [/^(?:www\.)?(?:discord\.gg|discord\.com)$/i, 'discord'],
  [/^(?:www\.|mobile\.)?(?:x\.com|twitter\.com)$/i, 'twitter'],
];

/** Links in one message, told apart by their hosts; what is none of the three networks is the website. */
export function linksOf(text: string): Partial<Record<LinkName, string>> {
  const links: Partial<Record<LinkName, string>> = {};
  for (const word of text.split(/[\s,]+/).filter((part) => part !== '')) {
    const url = /^[a-z][a-z0-9+.-]*:/i.test(word) ? word : `https://${word}`;
    const host = /^https?:\/\/([^/?#:]+)/i.exec(url)?.[1] ?? '';
    const name = HOSTS.find(([pattern]) => pattern.test(host))?.[1] ?? 'website';
    links[name] = url;
  }
  return links;
}

function metadataOf(answers: Answers): NonNullable<TokenDraft['metadata']> {
  return {
    ...given('description', answers['description']),
    ...given('imageUri', answers['picture']),
    extensions: linksOf(answers['links'] ?? ''),
  };
}

function powersOf(answers: Answers): Partial<TokenDraft> {
  const wallet = answers['wallet'] ?? '';
  const [rate, maximum, config = wallet, collector = wallet] = wordsOf(answers['fee']);
  const [interest, interestAuthority = wallet] = wordsOf(answers['interest']);
  return {
    ...(rate === undefined
      ? {}
      : {
          transferFeeConfigAuthority: config,
          transferFeeWithdrawalAuthority: collector,
          transferFeeBps: feeBps(rate),
          ...given('transferFeeMax', maximum === undefined ? undefined : feeMaximum(maximum, answers)),
        }),
    ...(interest === undefined
      ? {}
      : { interestBearingAuthority: interestAuthority, interestBearingPercent: percentOf(interest) }),
    ...given('permanentDelegate', answers['delegate']),
    ...given('mintCloseAuthority', answers['close']),
    ...(answers['frozen'] === '1' ? { defaultAccountState: { state: 'frozen' } } : {}),
    ...(answers['soulbound'] === '1' ? { nonTransferableMint: true } : {}),
  };
}

const wordsOf = (text = ''): readonly (string | undefined)[] =>
  text
    .replaceAll('%', ' ')
    .split(/\s+/)
    .filter((word) => word !== '');

/** Percent to basis points; what is none becomes a number that the rules refuse. */
function feeBps(text: string): number {
  const bps = percentOf(text) * 100;
  return Math.abs(bps - Math.round(bps)) < 1e-6 ? Math.round(bps) : Number.NaN;
}

const percentOf = (text: string): number =>
  /^\d{1,6}(?:[.,]\d{1,6})?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN;

/** Whole tokens, as a person counts, in the smallest units that the mint keeps. */
function feeMaximum(text: string, answers: Answers): string {
  try {
    return parseUnits(text.replaceAll(',', ''), decimalsOf(answers)).toString();
  } catch {
    return text;
  }
}

function given<N extends string>(name: N, text: string | undefined): { readonly [K in N]?: string } {
  return text === undefined || text === '' ? {} : ({ [name]: text } as { readonly [K in N]: string });
}
