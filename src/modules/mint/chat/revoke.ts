import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { address } from '../../../core/address/address.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { type Agreed, confirmTap } from '../../../engine/intents/chat/confirm-tap.ts';
import type { RevokeAuthorityParams } from '../../../engine/intents/kinds/revoke-authority/params.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import type { Feature, TapState } from '../../../platform/telegram/feature.ts';
import { textField, textList } from '../../../platform/telegram/ui/payload.ts';
import { REVOCABLE_AUTHORITIES } from '../rules/instructions/revoke-authority.ts';
import { askView, REVOKE, tokensView, tokenView } from './revoke-view.ts';

const CONFIRM_TTL_MS = 15 * 60_000;
/** Buttons for at most this many tokens, the newest. */
const TOKENS_SHOWN = 20;

/** The tokens that a person made here, and the wizard that gives their powers up one by one. */
export function revokeFeature(deps: FeatureDeps): Feature {
  async function list({ turn }: BotContext): Promise<void> {
    const tokens = await deps.db.createdTokens.listByUser(turn.user.id, TOKENS_SHOWN);
    const stateId = await deps.states.issue({
      userId: turn.user.id,
      feature: REVOKE,
      payload: { mints: tokens.map(({ mint }) => mint) },
    });
    await turn.screen.show(tokensView(turn.words, tokens, stateId));
  }

  async function show({ turn }: BotContext, mintText: string): Promise<void> {
    const mint = address(mintText);
    const token = await deps.db.createdTokens.find(mint);
    if (token === null || token.userId !== turn.user.id) {
      throw new AppError('TOKEN_NOT_FOUND', { address: mint });
    }
    const stateId = await deps.states.issue({
      userId: turn.user.id,
      feature: [REVOKE, 'trade'],
      payload: { mint, walletId: token.walletId },
    });
    await turn.screen.show(tokenView(turn.words, { token, passport: deps.passportUrl(mint), stateId }));
  }

  const confirm = (ctx: BotContext, state: TapState | null): Promise<void> =>
    confirmTap(deps, ctx, state, deps.mint.confirmRevokeAuthority);

  return {
    name: REVOKE,
    commands: [],
    taps: {
      list: { act: 'reads', run: list },
      pick: {
        act: 'reads',
        run: (ctx, state) => {
          const mint = textList(state, 'mints')[state?.index ?? -1];
          if (mint === undefined) throw new AppError('BUTTON_STALE', {});
          return show(ctx, mint);
        },
      },
      token: { act: 'reads', run: (ctx, state) => show(ctx, textField(state, 'mint')) },
      ask: { act: 'authority-revoke', run: (ctx, state) => ask(deps, ctx, state) },
      confirm: {
        act: 'authority-revoke',
        run: confirm,
        stale: ({ turn }) => turn.toast(turn.words.text('toast.confirm_stale')),
      },
    },
    forms: [],
    hidden: [{ name: 'my_tokens', act: 'reads', run: ({ turn }) => turn.go(REVOKE, 'list') }],
  };
}

/** Before one power is given up for good: its cost and its effect. */
async function ask(deps: FeatureDeps, { turn }: BotContext, state: TapState | null): Promise<void> {
  const authority = REVOCABLE_AUTHORITIES[state?.index ?? -1];
  if (authority === undefined) throw new AppError('BUTTON_STALE', {});
  const mint = address(textField(state, 'mint'));
  const quote = await deps.mint.quoteRevokeAuthority({
    userId: turn.user.id,
    mint,
    authority,
    tier: turn.user.settings.tier,
  });
  const payload: Agreed<RevokeAuthorityParams> = {
    idemKey: deps.ids.token(),
    walletId: quote.walletId,
    params: quote.params,
  };
  const [confirmId, stateId] = await Promise.all([
    deps.states.issue({ userId: turn.user.id, feature: REVOKE, payload, ttlMs: CONFIRM_TTL_MS }),
    deps.states.issue({ userId: turn.user.id, feature: REVOKE, payload: { mint } }),
  ]);
  await turn.screen.show(askView(turn.words, { quote, confirmId, stateId }));
}
