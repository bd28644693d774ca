import { z } from 'zod';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { address as addressOf } from '../../../core/address/address.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { enterForm } from '../../../platform/telegram/dialog/enter-form.ts';
import { address, text } from '../../../platform/telegram/dialog/fields.ts';
import type { Feature, TapState } from '../../../platform/telegram/feature.ts';
import { askSecret, pinOf, withPin } from '../../../platform/telegram/secret/ask-pin.ts';
import type { Secret } from '../../../platform/telegram/secret/prompts.ts';
import { code } from '../../../platform/telegram/ui/html.ts';
import { act, keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import { payloadOf, textField, textList } from '../../../platform/telegram/ui/payload.ts';
import { utcText } from '../../../platform/telegram/ui/time.ts';
import type { Wallet } from '../../wallets/rules/wallet.ts';
import { activeWallet } from '../../wallets/use/active-wallet.ts';
import { ownWallet } from '../../wallets/use/own-wallet.ts';
import { addressForm } from './address-book-flow.ts';
import { BOOK, bookView } from './address-book-view.ts';

/** An address that waits for the PIN. */
const REQUEST = z.object({ walletId: text, address, name: text });
type Request = z.infer<typeof REQUEST>;

/** Asks for the PIN that adds the address. */
const question = ({ turn }: BotContext, request: Request) => ({
  to: `${BOOK}:add`,
  payload: request,
  isProof: true as const,
  act: 'address-add' as const,
  text: turn.words.html('book.pin', { name: request.name, address: code(request.address) }),
});

/** The addresses a wallet may pay, and the button that says "that was not me". */
export function addressBookFeature(deps: FeatureDeps): Feature {
  const { wallets } = deps.db;
  const { guard } = deps;

  async function open({ turn }: BotContext): Promise<void> {
    await show(deps, turn, await activeWallet(wallets, turn.user));
  }

  async function add(ctx: BotContext, state: TapState | null): Promise<void> {
    const { turn } = ctx;
    const wallet = await ownWallet(wallets, {
      userId: turn.user.id,
      walletId: textField(state, 'walletId'),
    });
    const { hasPin } = await guard.overview({ userId: turn.user.id });
    if (!hasPin) throw new AppError('PIN_REQUIRED', {});
    await enterForm(ctx, form, { walletId: wallet.id, wallet: wallet.name, sender: wallet.address });
  }

  const form = addressForm(deps.withdrawals.checkRecipient, async (ctx, { walletId, address: to, name }) => {
    await askSecret(deps, ctx, question(ctx, { walletId, address: to, name }));
  });

  async function addWithPin(ctx: BotContext, secret: Secret, payload: unknown): Promise<void> {
    const { turn } = ctx;
    const request = payloadOf(REQUEST, payload);
    await withPin(deps, ctx, question(ctx, request), async () => {
      const row = await guard.addAddress({
        ...request,
        userId: turn.user.id,
        pin: pinOf(secret),
      });
      await showAdded(deps, ctx, request, row);
    });
  }

  return {
    name: BOOK,
    commands: [],
    taps: {
      open: { act: 'reads', run: open },
      add: { act: 'address-add', run: add },
      remove: { act: 'address-remove', toasts: true, run: (ctx, state) => remove(deps, ctx, state) },
      block: {
        act: ['address-remove', 'panic'],
        unlocked: true,
        toasts: true,
        run: (ctx, state) => block(deps, ctx, state),
      },
    },
    forms: [form],
    secrets: { add: { act: 'address-add', run: addWithPin } },
  };
}

async function show(deps: FeatureDeps, turn: BotContext['turn'], wallet: Wallet): Promise<void> {
  const rows = await deps.guard.listAddresses({ userId: turn.user.id, walletId: wallet.id });
  const stateId = await deps.states.issue({
    userId: turn.user.id,
    feature: BOOK,
    payload: { walletId: wallet.id, ids: rows.map(({ entry }) => entry.id) },
  });
  await turn.screen.show(bookView(turn.words, { wallet, rows, stateId }));
}

async function remove(deps: FeatureDeps, { turn }: BotContext, state: TapState | null): Promise<void> {
  const id = textList(state, 'ids')[state?.index ?? -1];
  if (id === undefined) throw new AppError('BUTTON_STALE', {});
  const count = (await deps.guard.removeAddress({ userId: turn.user.id, id }))?.cancelled ?? 0;
  await turn.toast(turn.words.text(count === 0 ? 'toast.removed' : 'toast.removed_stopped', { count }));
  await show(
    deps,
    turn,
    await ownWallet(deps.db.wallets, { userId: turn.user.id, walletId: textField(state, 'walletId') }),
  );
}

async function showAdded(
  deps: FeatureDeps,
  { turn }: BotContext,
  request: Request,
  row: Awaited<ReturnType<FeatureDeps['guard']['addAddress']>>,
): Promise<void> {
  const stateId = await deps.states.issue({
    userId: turn.user.id,
    feature: BOOK,
    payload: { walletId: request.walletId, destination: request.address },
  });
  await turn.screen.show({
    text: row.usable
      ? turn.words.html('book.added_now')
      : turn.words.html('book.added', { at: utcText(row.usableAt) }),
    keyboard: keyboard(
      [!row.usable && act(turn.words.text('btn.block_freeze'), BOOK, 'block', stateId)],
      [
        nav(turn.words.text('btn.address_book'), BOOK, 'open'),
        nav(turn.words.text('btn.home'), 'home', 'open'),
      ],
    ),
  });
}

async function block({ guard }: FeatureDeps, { turn }: BotContext, state: TapState | null): Promise<void> {
  await guard.blockAddress({
    userId: turn.user.id,
    walletId: textField(state, 'walletId'),
    address: addressOf(textField(state, 'destination')),
  });
  await turn.toast(turn.words.text('toast.frozen'));
  await turn.screen.fresh({
    text: turn.words.html('book.blocked'),
    keyboard: keyboard([
      nav(turn.words.text('btn.security'), 'security', 'open'),
      nav(turn.words.text('btn.home'), 'home', 'open'),
    ]),
  });
}
