import type { Address } from '@tradepost/solana';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { address } from '../../../core/address/address.ts';
import { AppError, hasCode } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import type { Feature, TapState } from '../../../platform/telegram/feature.ts';
import { keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import { textField, textList } from '../../../platform/telegram/ui/payload.ts';
import { TREND_HOURS } from '../../market/store/trending-store-port.ts';
import type { TokenHit } from '../../market/use/search-tokens.ts';
import { readVerb } from '../rules/typed-verb.ts';
import { askView, hitsView, PAGE_SIZE, SEARCH, trendingView } from './search-view.ts';

const MOST_HITS = 50;
/** Longer texts are talk. */
const LONGEST_NAME = 64;
/** A text that could be a name or a ticker: a word or two, which begin with a letter. Anything else is talk. */
const NAME = /^\$?\p{L}[\p{L}\p{N}._-]{0,31}( [\p{L}\p{N}._-]{1,31})?$/u;

/** Finding a token by its name: behind `/trade X`, "Which token?" and plain text. */
export function searchFeature(deps: FeatureDeps): Feature {
  async function search({ turn }: BotContext, text: string): Promise<readonly TokenHit[]> {
    const { wallet } = turn;
    return deps.tokens.search({
      text: text.slice(0, LONGEST_NAME),
      ...(wallet === null ? {} : { wallet: wallet.address }),
      limit: MOST_HITS,
    });
  }

  /** The card of the only token that a text can mean, else the list to choose from. Throws TOKEN_NOT_FOUND. */
  async function find(ctx: BotContext, text: string): Promise<void> {
    const hits = await search(ctx, text);
    const [only] = hits;
    if (only === undefined || hits.length === 1) {
      // A token that a venue trades and no index has met yet is known by its ticker all the same.
      const mint = only?.mint ?? (await deps.trade.lookUpToken(text)).mint;
      await openToken(ctx, mint);
      return;
    }
    await show(ctx, text, hits, 0);
  }

  /** Plain text: the answer to a text that names no token is a list of the possible actions. */
  async function said(ctx: BotContext, text: string): Promise<void> {
    const { turn } = ctx;
    if (readVerb(text) !== null) {
      await turn.go('trade', 'typed', { text });
      return;
    }
    try {
      if (text.length > LONGEST_NAME) throw new AppError('TOKEN_NOT_FOUND', { address: '' });
      await find(ctx, text);
    } catch (error) {
      if (!hasCode(error, 'TOKEN_NOT_FOUND')) throw error;
      const { words } = turn;
      await turn.screen.fresh({
        text: NAME.test(text) ? words.html('search.nothing', { text }) : words.html('text.unknown'),
        keyboard: keyboard([
          nav(words.text('btn.search'), SEARCH, 'open'),
          NAME.test(text)
            ? nav(words.text('btn.trending'), SEARCH, 'trend-0')
            : nav(words.text('btn.help'), 'help', 'open'),
          nav(words.text('btn.home'), 'home', 'open'),
        ]),
      });
    }
  }

  async function show(ctx: BotContext, text: string, hits: readonly TokenHit[], page: number): Promise<void> {
    const shown = hits.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE);
    const stateId = await issue(ctx, { text, page, mints: shown.map(({ mint }) => mint) });
    await ctx.turn.screen.show(hitsView(ctx.turn.words, { text, hits, page, stateId }));
  }

  const issue = ({ turn }: BotContext, payload: object): Promise<string> =>
    deps.states.issue({ userId: turn.user.id, feature: SEARCH, payload });

  async function turnPage(ctx: BotContext, state: TapState | null, by: 1 | -1): Promise<void> {
    const text = textField(state, 'text');
    const hits = await search(ctx, text);
    const last = Math.max(0, Math.ceil(hits.length / PAGE_SIZE) - 1);
    await show(ctx, text, hits, Math.min(last, Math.max(0, pageOf(state) + by)));
  }

  async function pick(ctx: BotContext, state: TapState | null): Promise<void> {
    const mint = textList(state, 'mints')[state?.index ?? -1];
    if (mint === undefined) throw new AppError('BUTTON_STALE', {});
    await openToken(ctx, address(mint));
  }

  async function trending(ctx: BotContext, state: TapState | null): Promise<void> {
    const hours = TREND_HOURS[state?.index ?? 0];
    if (hours === undefined) throw new AppError('BUTTON_STALE', {});
    const list = await deps.tokens.trending(hours);
    const stateId = await issue(ctx, { mints: mintsOf(list.tokens) });
    await ctx.turn.screen.show(trendingView(ctx.turn.words, { hours, list, stateId }));
  }

  // Open to everybody: on paper people look before they have a wallet.
  const taps: Feature['taps'] = {
    open: { act: 'reads', run: ({ turn }) => turn.screen.show(askView(turn.words)) },
    find: { act: 'reads', run: (ctx, state) => find(ctx, textField(state, 'text')) },
    said: { act: 'reads', run: (ctx, state) => said(ctx, textField(state, 'text')) },
    next: { act: 'reads', run: (ctx, state) => turnPage(ctx, state, 1) },
    previous: { act: 'reads', run: (ctx, state) => turnPage(ctx, state, -1) },
    pick: { act: 'reads', run: pick },
    trend: { act: 'reads', run: trending },
    // Buttons of messages from before the launch feed.
    newest: { act: 'reads', run: ({ turn }) => turn.go('launches', 'open') },
  };
  return {
    name: SEARCH,
    commands: [],
    taps: Object.fromEntries(Object.entries(taps).map(([name, tap]) => [name, { ...tap, unlocked: true }])),
    forms: [],
  };
}

/** On paper where the person trades on paper. */
const openToken = ({ turn }: BotContext, mint: Address): Promise<void> =>
  turn.user.settings.paper?.on === true
    ? turn.go('paper', 'token', { mint })
    : turn.go('trade', 'paste', { text: mint });

const mintsOf = (tokens: readonly { readonly mint: Address }[]): readonly Address[] =>
  tokens.slice(0, PAGE_SIZE).map(({ mint }) => mint);

function pageOf(state: TapState | null): number {
  const payload = state?.payload;
  const page = typeof payload === 'object' && payload !== null ? Reflect.get(payload, 'page') : null;
  return typeof page === 'number' ? page : 0;
}
