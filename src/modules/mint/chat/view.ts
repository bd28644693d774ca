import { shortAddress } from '@tradepost/solana';
import type { Key } from '../../../compose/texts/catalogue.ts';
import type { Words } from '../../../compose/texts/words.ts';
import { amountText, solText } from '../../../platform/telegram/ui/amounts.ts';
import { code, type Html, html, lines } from '../../../platform/telegram/ui/html.ts';
import { act, inRows, keyboard, nav, ticked } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { safetyText } from '../../tokens/chat/safety-text.ts';
import { powerSentence, problemSentence, warningSentence } from '../../tokens/chat/token-sentences.ts';
import { displayName } from '../../tokens/rules/display-name.ts';
import type { TokenProblem } from '../rules/problem.ts';
import type { CreationQuote } from '../use/quote-create-token.ts';
import type { Draft } from './answers.ts';
import { linksOf, ownUri } from './draft.ts';
import { CREATE_TOKEN } from './feature-name.ts';
import { fundsLines, reviewButtons } from './review-end.ts';

/** Everything that a tap switches on or off, in the order of its buttons. `asked` needs an answer first. */
export const POWERS = [
  { key: 'mint_authority', kept: true, asked: false, token2022: false },
  { key: 'freeze_authority', kept: false, asked: false, token2022: false },
  { key: 'update_authority', kept: true, asked: false, token2022: false },
  { key: 'fee', kept: false, asked: true, token2022: true },
  { key: 'interest', kept: false, asked: true, token2022: true },
  { key: 'delegate', kept: false, asked: true, token2022: true },
  { key: 'close', kept: false, asked: true, token2022: true },
  { key: 'frozen', kept: false, asked: false, token2022: true },
  { key: 'soulbound', kept: false, asked: false, token2022: true },
] as const;

/** The questions that Edit offers, in their order. */
export const EDITABLE = [
  'type',
  'symbol',
  'name',
  'picture',
  'description',
  'links',
  'decimals',
  'supply',
  'to',
] as const;

export function isOn(draft: Draft, power: (typeof POWERS)[number]): boolean {
  if (power.asked) return (draft[power.key] ?? '') !== '';
  return draft[power.key] ?? power.kept;
}

/** The uses of a token without a market. `canLaunch`: this cluster has a launchpad. */
export function marketView(words: Words, stateId: string, canLaunch: boolean): View {
  return {
    text: words.html(canLaunch ? 'create.market_or_launch' : 'create.market'),
    keyboard: keyboard(
      canLaunch && [nav(words.text('btn.launch_new'), CREATE_TOKEN, 'launch')],
      [
        nav(words.text('btn.withdraw_token'), 'withdraw', 'tokens'),
        act(words.text('btn.trade_card'), 'trade', 'card', stateId),
      ],
      [nav(words.text('btn.home'), 'home', 'open')],
    ),
  };
}

/** `next` is the tap that opens the account and goes on with the request. */
export function referralFirstView(words: Words, next: 'refer' | 'refer_launch'): View {
  return {
    text: words.html('create.referral_first'),
    keyboard: keyboard(
      [nav(words.text('btn.create_referral'), CREATE_TOKEN, next)],
      [nav(words.text('btn.home'), 'home', 'open')],
    ),
  };
}

/** Authorities and extensions: each with one sentence on its meaning, and the problems of the present choice. */
export function powersView(
  words: Words,
  facts: { readonly draft: Draft; readonly problems: readonly TokenProblem[]; readonly stateId: string },
): View {
  const { draft, problems, stateId } = facts;
  const offered = POWERS.map((power, index) => ({ power, index })).filter(
    ({ power }) => !power.token2022 || draft.type === 'token2022',
  );
  return {
    text: lines(
      words.html('create.powers_title', { symbol: symbolOf(draft) }),
      html``,
      ...offered.map(({ power }) =>
        words.html(isOn(draft, power) ? 'create.power_on' : 'create.power_off', {
          name: words.text(`create.power.${power.key}`),
          meaning: words.html(`create.means.${power.key}`),
          value: power.asked && isOn(draft, power) ? html` (${code(draft[power.key] ?? '')})` : '',
        }),
      ),
      problems.length > 0 && html``,
      ...problems.map((problem) => problemSentence(problem, words)),
    ),
    keyboard: keyboard(
      ...inRows(
        offered.map(({ power, index }) =>
          act(
            ticked(words.text(`create.power.${power.key}`), isOn(draft, power)),
            CREATE_TOKEN,
            `set-${index}`,
            stateId,
          ),
        ),
        2,
      ),
      problems.length === 0 && [act(words.text('btn.review'), CREATE_TOKEN, 'review', stateId)],
      [
        act(words.text('btn.back'), CREATE_TOKEN, 'back', stateId),
        act(words.text('btn.cancel'), CREATE_TOKEN, 'stop', stateId),
      ],
    ),
  };
}

/** The whole token, its cost at this cluster's rates, its author's powers, and the text for buyers. */
export function reviewView(
  words: Words,
  facts: {
    readonly draft: Draft;
    readonly quote: CreationQuote;
    readonly confirmId: string;
    readonly editId: string;
    /** This cluster has a launchpad: said before the token is made, as it cannot be launched after. */
    readonly canLaunch: boolean;
  },
): View {
  const { draft, quote, confirmId, editId, canLaunch } = facts;
  const { cost } = quote;
  return {
    text: lines(
      ...tokenLines(words, draft, quote),
      html``,
      words.html('create.cost', {
        rent: solText(words, cost.rentLamports),
        metadata: solText(words, cost.metadataFeeLamports),
        platform: solText(words, cost.platformFeeLamports),
        network: solText(words, cost.networkFeeLamports),
        total: solText(words, cost.totalLamports),
      }),
      ...fundsLines(words, draft, quote, 'create.short'),
      html``,
      words.html('create.buyers_see'),
      ...safetyText(words, quote.safety),
      ...quote.powers.map((power) => html`• ${powerSentence(power, words)}`),
      ...quote.warnings.map((warning) => html`• ${warningSentence(warning, words)}`),
      html``,
      quote.transactions === 2 && words.html('create.two'),
      words.html(canLaunch ? 'create.no_market_or_launch' : 'create.no_market'),
      words.html('create.final'),
    ),
    keyboard: keyboard(
      ...reviewButtons(words, {
        funds: quote,
        confirm: act(words.text('btn.create_token'), CREATE_TOKEN, 'confirm', confirmId),
        change: [act(words.text('btn.edit'), CREATE_TOKEN, 'edit', editId)],
        confirmId,
      }),
      canLaunch && [nav(words.text('btn.launch_instead'), CREATE_TOKEN, 'launch')],
    ),
  };
}

/** The engine's refusals, with the way to change the answers. */
export function refusedView(
  words: Words,
  facts: { readonly problems: readonly TokenProblem[]; readonly stateId: string },
): View {
  return {
    text: lines(
      words.html('create.refused'),
      ...facts.problems.map((problem) => html`• ${problemSentence(problem, words)}`),
    ),
    keyboard: keyboard([
      act(words.text('btn.edit'), CREATE_TOKEN, 'edit', facts.stateId),
      act(words.text('btn.cancel'), CREATE_TOKEN, 'stop', facts.stateId),
    ]),
  };
}

export function editView(words: Words, draft: Draft, stateId: string): View {
  const shown = EDITABLE.map((key, index) => ({ key, index })).filter(
    ({ key }) => ownUri(draft) === null || (key !== 'description' && key !== 'links'),
  );
  return {
    text: words.html('create.edit', { symbol: symbolOf(draft) }),
    keyboard: keyboard(
      ...inRows(
        [
          ...shown.map(({ key, index }) =>
            act(words.text(`create.field.${key}`), CREATE_TOKEN, `edit-${index}`, stateId),
          ),
          act(words.text('create.field.powers'), CREATE_TOKEN, 'powers', stateId),
        ],
        3,
      ),
      [act(words.text('btn.review'), CREATE_TOKEN, 'review', stateId)],
    ),
  };
}

function tokenLines(words: Words, draft: Draft, quote: CreationQuote): readonly (Html | false)[] {
  const { spec } = quote.params;
  const description = draft.description ?? '';
  const own = ownUri(draft);
  const links = Object.values(linksOf(draft.links ?? ''));
  return [
    words.html('create.review_title', {
      symbol: code(displayName(spec.symbol) ?? '…'),
      name: displayName(spec.name) ?? '…',
    }),
    words.html('create.review_facts', {
      type: spec.program,
      decimals: spec.decimals,
      supply: amountText(words, spec.supply, spec.decimals),
      to: spec.mintTo === draft.wallet ? draft.walletName : code(shortAddress(spec.mintTo)),
    }),
    own === null && description !== '' && words.html('create.review_description', { description }),
    own === null && links.length > 0 && words.html('create.review_links', { links: links.join(' · ') }),
    words.html(pictureKey(draft)),
    words.html('create.review_metadata', { uri: code(quote.uri) }),
  ];
}

const PICTURE_WORDS = {
  none: 'create.picture_none',
  own: 'create.picture_own',
  kept: 'create.picture_kept',
} as const satisfies Record<string, Key>;

const pictureKey = ({ picture }: Draft) => PICTURE_WORDS[picture?.kind ?? 'none'];

const symbolOf = ({ symbol = '' }: Draft): Html => code(displayName(symbol) ?? '…');
