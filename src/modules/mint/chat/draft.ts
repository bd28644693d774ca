import { parseUnits } from '../../../core/amounts/decimal.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { withPlainDigits } from '../../../core/text/digits.ts';
import { DEFAULT_DECIMALS, DEFAULT_SUPPLY, planToken } from '../rules/plan-token.ts';
import type { TokenProblem } from '../rules/problem.ts';
import { LINK_NAMES, type LinkName } from '../rules/token-document.ts';
import type { TokenDraft } from '../rules/token-draft.ts';
import type { Draft } from './answers.ts';

/**
 * The wizard's answers, as a draft for the mint engine, which judges it. Nothing is refused here: a wrong answer goes on as the person
 * typed it, so that there is one judge and one sentence for each fault.
 */
export function draftOf(draft: Draft): Omit<TokenDraft, 'payer' | 'newMint'> {
  const own = ownUri(draft);
  return {
    symbol: draft.symbol ?? '',
    ...given('name', draft.name),
    program: draft.type ?? 'token',
    ...(own === null ? { metadata: metadataOf(draft) } : { metadataUri: own }),
    decimals: draft.decimals ?? DEFAULT_DECIMALS,
    mintSupply: draft.supply ?? DEFAULT_SUPPLY,
    mintToPubkey: draft.to || draft.wallet,
    mintAuthority: draft.mint_authority ?? true,
    freezeAuthority: draft.freeze_authority ?? false,
    updateAuthority: draft.update_authority ?? true,
    ...(draft.type === 'token2022' ? powersOf(draft) : {}),
  };
}

/** Every problem of the draft, before the chain is asked. A symbol that was not asked for yet is none. */
export function draftProblems(draft: Draft): readonly TokenProblem[] {
  const plan = planToken({ ...draftOf({ ...draft, symbol: draft.symbol || 'X' }), payer: draft.wallet });
  return plan.kind === 'refused' ? plan.problems : [];
}

/** Throws TOKEN_REQUEST_INVALID with the problems of the named fields (or of those below them), if there are any. */
export function assertFields(draft: Draft, fields: readonly string[]): void {
  const problems = draftProblems(draft).filter(({ field }) =>
    fields.some((name) => field === name || field.startsWith(`${name}.`)),
  );
  if (problems.length > 0) throw new AppError('TOKEN_REQUEST_INVALID', { problems });
}

/** The creator's own metadata link; null when the document is ours. */
export function ownUri({ picture }: Draft): string | null {
  return picture?.kind === 'own' ? picture.uri : null;
}

/** Decimals as typed; a text that is no number becomes one that the rules refuse. */
export function readDecimals(typed: string): number {
  const digits = withPlainDigits(typed);
  return /^\d{1,3}$/.test(digits) ? Number(digits) : Number.NaN;
}

/** A supply as typed, without the separators that people write between its digits. */
export const readSupply = (typed: string): string => withPlainDigits(typed).replaceAll(/[,_\s]/g, '');

const HOSTS: readonly (readonly [RegExp, LinkName])[] = [
  [/^(?:www\.)?(?:t\.me|telegram\.me)$/i, 'telegram'],
  [/^(?:www\.)?(?:discord\.gg|discord\.com)$/i, 'discord'],
  [/^(?:www\.|mobile\.)?(?:x\.com|twitter\.com)$/i, 'twitter'],
];

/** A word that could be opened as a link: with a scheme of its own, or with a point in its host. */
const isLinkWord = (word: string): boolean =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(word) || /^[^\s./?#:]+(?:\.[^\s./?#:]+)+(?:[:/?#]|$)/.test(word);

const linkWordsOf = (text: string): readonly string[] => text.split(/[\s,]+/).filter((part) => part !== '');

/** The first thing in an answer of links that would get lost or lead nowhere; null where nothing would. */
export function linkFault(
  text: string,
):
  | { readonly kind: 'no-link'; readonly given: string }
  | { readonly kind: 'two'; readonly name: LinkName }
  | null {
  const words = linkWordsOf(text);
  const given = words.find((word) => !isLinkWord(word));
  if (given !== undefined) return { kind: 'no-link', given };
  const names = words.flatMap((word) => {
    const links = linksOf(word);
    return LINK_NAMES.filter((name) => links[name] !== undefined);
  });
  const name = names.find((one, index) => names.indexOf(one) !== index);
  return name === undefined ? null : { kind: 'two', name };
}

/** Links in one message, sorted by their hosts; a link to none of the three networks is the website. */
export function linksOf(text: string): Partial<Record<LinkName, string>> {
  const links: Partial<Record<LinkName, string>> = {};
  for (const word of linkWordsOf(text)) {
    const url = /^[a-z][a-z0-9+.-]*:/i.test(word) ? word : `https://${word}`;
    const host = /^https?:\/\/([^/?#:]+)/i.exec(url)?.[1] ?? '';
    const name = HOSTS.find(([pattern]) => pattern.test(host))?.[1] ?? 'website';
    links[name] = url;
  }
  return links;
}

function metadataOf({ description, picture, links }: Draft): NonNullable<TokenDraft['metadata']> {
  return {
    ...given('description', description),
    ...given('imageUri', picture?.kind === 'kept' ? picture.uri : undefined),
    extensions: linksOf(links ?? ''),
  };
}

function powersOf(draft: Draft): Partial<TokenDraft> {
  const { wallet } = draft;
  const [rate, maximum, config = wallet, collector = wallet] = wordsOf(draft.fee);
  const [interest, interestAuthority = wallet] = wordsOf(draft.interest);
  return {
    ...(rate === undefined
      ? {}
      : {
          transferFeeConfigAuthority: config,
          transferFeeWithdrawalAuthority: collector,
          transferFeeBps: feeBps(rate),
          ...given('transferFeeMax', maximum === undefined ? undefined : feeMaximum(maximum, draft)),
        }),
    ...(interest === undefined
      ? {}
      : { interestBearingAuthority: interestAuthority, interestBearingPercent: percentOf(interest) }),
    ...given('permanentDelegate', draft.delegate),
    ...given('mintCloseAuthority', draft.close),
    ...(draft.frozen === true ? { defaultAccountState: { state: 'frozen' } } : {}),
    ...(draft.soulbound === true ? { nonTransferableMint: true } : {}),
  };
}

const wordsOf = (text = ''): readonly (string | undefined)[] =>
  text
    .replaceAll('%', ' ')
    .split(/\s+/)
    .filter((word) => word !== '');

/** Percent to basis points; a text that is no percentage becomes a number that the rules refuse. */
function feeBps(text: string): number {
  const bps = percentOf(text) * 100;
  return Math.abs(bps - Math.round(bps)) < 1e-6 ? Math.round(bps) : Number.NaN;
}

function percentOf(text: string): number {
  const digits = withPlainDigits(text);
  return /^\d{1,6}(?:[.,]\d{1,6})?$/.test(digits) ? Number(digits.replace(',', '.')) : Number.NaN;
}

/** Whole tokens, as a person counts, in the smallest units that the mint keeps. */
function feeMaximum(text: string, { decimals = DEFAULT_DECIMALS }: Draft): string {
  try {
    return parseUnits(text, decimals).toString();
  } catch {
    return text;
  }
}

function given<N extends string>(name: N, text: string | undefined): Partial<Record<N, string>> {
  const fields: Partial<Record<string, string>> = text === undefined || text === '' ? {} : { [name]: text };
  return fields;
}
