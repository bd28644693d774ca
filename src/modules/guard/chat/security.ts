import { z } from 'zod';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { enterForm } from '../../../platform/telegram/dialog/enter-form.ts';
import { text } from '../../../platform/telegram/dialog/fields.ts';
import type { Feature, TapState } from '../../../platform/telegram/feature.ts';
import { askSecret, pinOf, type Question, withPin } from '../../../platform/telegram/secret/ask-pin.ts';
import type { Secret } from '../../../platform/telegram/secret/prompts.ts';
import { solText } from '../../../platform/telegram/ui/amounts.ts';
import type { Html } from '../../../platform/telegram/ui/html.ts';
import { keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import { payloadOf } from '../../../platform/telegram/ui/payload.ts';
import { stoppedView } from '../../../platform/telegram/ui/stopped.ts';
import { utcText } from '../../../platform/telegram/ui/time.ts';
import { panicText } from './frozen-text.ts';
import { capForm } from './security-flow.ts';
import { SECURITY, securityView } from './security-view.ts';

const RESUME = z.object({ feature: text, stateId: text });

/** The purpose of a PIN that is being set. `replaces`: the hash it takes the place of. `request`: a withdrawal that waits for it. */
const PIN_SETTING = z.object({
  replaces: text.nullable(),
  hash: text.exactOptional(),
  request: z.unknown().optional(),
  /** Another feature that waits for it, and goes on with the content of the button's row. */
  resume: RESUME.exactOptional(),
});
type PinSetting = z.infer<typeof PIN_SETTING>;

type ChangedCap = { readonly cap: bigint; readonly raisedAt: number | null };

/** PIN, daily cap, unlocking. */
export function securityFeature(deps: FeatureDeps): Feature {
  const { guard } = deps;

  async function open({ turn }: BotContext): Promise<void> {
    const userId = turn.user.id;
    const [overview, keyFile] = await Promise.all([
      guard.overview({ userId }),
      deps.backups.openExport({ userId }),
    ]);
    await turn.screen.show(securityView(turn.words, { ...overview, keyFile, now: deps.clock.now() }));
  }

  const done = ({ turn }: BotContext, text: Html): Promise<number> =>
    turn.screen.show({
      text,
      keyboard: keyboard([
        nav(turn.words.text('btn.security'), SECURITY, 'open'),
        nav(turn.words.text('btn.home'), 'home', 'open'),
      ]),
    });

  async function startPin(ctx: BotContext, state: TapState | null = null): Promise<void> {
    const { turn } = ctx;
    const { hasPin } = await guard.overview({ userId: turn.user.id });
    if (hasPin) {
      await askSecret(deps, ctx, {
        to: 'security:old',
        payload: null,
        isProof: true,
        act: 'pin-change',
        text: turn.words.html('security.pin_old'),
      });
      return;
    }
    await guard.mayAct({ userId: turn.user.id, act: 'pin-set' });
    const payload: PinSetting = { replaces: null, request: requestOf(state), ...resumeOf(state) };
    await askSecret(deps, ctx, { to: 'security:first', payload, text: turn.words.html('security.pin_new') });
  }

  async function oldPin(ctx: BotContext, secret: Secret): Promise<void> {
    const { words, user } = ctx.turn;
    const again: Question = {
      to: 'security:old',
      payload: null,
      isProof: true,
      act: 'pin-change',
      text: words.html('security.pin_old'),
    };
    await withPin(deps, ctx, again, async () => {
      const replaces = await guard.beginPinChange({ userId: user.id, pin: pinOf(secret) });
      const payload: PinSetting = { replaces };
      await askSecret(deps, ctx, { to: 'security:first', payload, text: words.html('security.pin_new') });
    });
  }

  async function firstPin(ctx: BotContext, secret: Secret, payload: unknown): Promise<void> {
    const { words, user } = ctx.turn;
    const again = { to: 'security:first', payload, text: words.html('security.pin_new') };
    await withPin(deps, ctx, again, async () => {
      // Its slow, peppered hash waits for the second typing; never the PIN.
      const hash = await guard.hashPin({ userId: user.id, pin: pinOf(secret) });
      await askSecret(deps, ctx, {
        to: 'security:again',
        payload: { ...payloadOf(PIN_SETTING, payload), hash },
        text: words.html('security.pin_again'),
      });
    });
  }

  async function againPin(ctx: BotContext, secret: Secret, payload: unknown): Promise<void> {
    const { turn } = ctx;
    const { words } = turn;
    const { hash, ...setting } = payloadOf(PIN_SETTING, payload);
    if (hash === undefined) throw new AppError('BUTTON_STALE', {});
    const differs = { to: 'security:first', payload: setting, text: words.html('security.pin_differs') };
    await withPin(deps, ctx, differs, async () => {
      const { replaces } = setting;
      if (!(await guard.setPin({ userId: turn.user.id, hash, again: pinOf(secret), replaces }))) {
        await askSecret(deps, ctx, differs);
        return;
      }
      if (setting.request !== undefined && setting.request !== null) {
        await turn.go('withdraw', 'resume', setting.request);
        return;
      }
      if (setting.resume !== undefined) {
        // As when a PIN is typed for the act; one that is too new to unlock is said so, and nothing runs later by itself.
        await guard.unlockTrades({ userId: turn.user.id, pin: pinOf(secret) });
        await turn.go(setting.resume.feature, 'resume', setting.resume.stateId);
        return;
      }
      await done(ctx, words.html(replaces === null ? 'security.pin_done' : 'security.pin_changed'));
    });
  }

  const cap = capForm('withdrawals', (ctx, { lamports }) => askCapPin(ctx, lamports));

  const capQuestion = ({ turn }: BotContext, lamports: bigint) => ({
    to: 'security:cap',
    payload: { lamports },
    isProof: true as const,
    act: 'cap-raise' as const,
    text: turn.words.html('security.cap_pin', { cap: solText(turn.words, lamports) }),
  });
  /** Lower counts at once and takes no PIN. */
  async function askCapPin(ctx: BotContext, lamports: bigint): Promise<void> {
    const { user } = ctx.turn;
    if (lamports > (await guard.overview({ userId: user.id })).cap) {
      await askSecret(deps, ctx, capQuestion(ctx, lamports));
      return;
    }
    await showCap(ctx, lamports, await guard.changeCap({ userId: user.id, pin: null, lamports }));
  }

  const showCap = (ctx: BotContext, lamports: bigint, changed: ChangedCap): Promise<number> =>
    done(
      ctx,
      changed.raisedAt === null
        ? ctx.turn.words.html('security.cap_done', { cap: solText(ctx.turn.words, changed.cap) })
        : ctx.turn.words.html('security.cap_waits', {
            cap: solText(ctx.turn.words, lamports),
            at: utcText(changed.raisedAt),
          }),
    );

  async function capPin(ctx: BotContext, secret: Secret, payload: unknown): Promise<void> {
    const { user } = ctx.turn;
    const lamports = lamportsOf(payload);
    await withPin(deps, ctx, capQuestion(ctx, lamports), async () => {
      await showCap(ctx, lamports, await guard.changeCap({ userId: user.id, pin: pinOf(secret), lamports }));
    });
  }

  const spendCap = capForm('spending', async (ctx, { lamports }) => {
    const { user } = ctx.turn;
    if (lamports > (await guard.overview({ userId: user.id })).spendCap) {
      await askSecret(deps, ctx, spendQuestion(ctx, lamports));
      return;
    }
    const request = { userId: user.id, pin: null, lamports, kind: 'spending' as const };
    await showSpendCap(ctx, lamports, await guard.changeCap(request));
  });

  const showSpendCap = (ctx: BotContext, lamports: bigint, { cap, raisedAt }: ChangedCap): Promise<number> =>
    done(
      ctx,
      raisedAt === null
        ? ctx.turn.words.html('security.spend_done', { cap: solText(ctx.turn.words, cap) })
        : ctx.turn.words.html('security.spend_waits', {
            cap: solText(ctx.turn.words, lamports),
            at: utcText(raisedAt),
          }),
    );

  const spendQuestion = ({ turn }: BotContext, lamports: bigint) => ({
    to: 'security:spend',
    payload: { lamports },
    isProof: true as const,
    act: 'cap-raise' as const,
    text: turn.words.html('security.spend_pin', { cap: solText(turn.words, lamports) }),
  });

  async function spendPin(ctx: BotContext, secret: Secret, payload: unknown): Promise<void> {
    const { user } = ctx.turn;
    const lamports = lamportsOf(payload);
    await withPin(deps, ctx, spendQuestion(ctx, lamports), async () => {
      const request = { userId: user.id, pin: pinOf(secret), lamports, kind: 'spending' as const };
      await showSpendCap(ctx, lamports, await guard.changeCap(request));
    });
  }

  async function lock(ctx: BotContext): Promise<void> {
    await guard.lockTrades({ userId: ctx.turn.user.id });
    await open(ctx);
  }

  const unfreezeQuestion = ({ turn }: BotContext) => ({
    to: 'security:unfreeze',
    payload: null,
    isProof: true as const,
    act: 'freeze-end' as const,
    text: turn.words.html('security.unfreeze_pin'),
  });

  async function unfreezePin(ctx: BotContext, secret: Secret): Promise<void> {
    await withPin(deps, ctx, unfreezeQuestion(ctx), () => thaw(ctx, pinOf(secret)));
  }

  async function thaw(ctx: BotContext, pin: string | null): Promise<void> {
    const { words, user } = ctx.turn;
    const { until } = await guard.unfreeze({ userId: user.id, pin });
    await done(
      ctx,
      until === null
        ? words.html('security.unfrozen')
        : words.html('security.unfreeze_waits', { at: utcText(until) }),
    );
  }

  /** A PIN that was not ripe when everything was frozen proves nothing: then the long wait is the proof. */
  async function askThaw(ctx: BotContext): Promise<void> {
    const { thawsWithPin } = await guard.overview({ userId: ctx.turn.user.id });
    await (thawsWithPin ? askSecret(deps, ctx, unfreezeQuestion(ctx)) : thaw(ctx, null));
  }

  async function stop(ctx: BotContext): Promise<void> {
    const { cancelled } = await guard.stopChanges({ userId: ctx.turn.user.id });
    const overview = await guard.overview({ userId: ctx.turn.user.id });
    await done(ctx, panicText(ctx.turn.words, cancelled, overview));
  }

  return {
    name: SECURITY,
    commands: [],
    taps: {
      open: { act: 'reads', unlocked: true, run: open },
      pin: { act: ['pin-set', 'pin-change'], unlocked: true, run: startPin },
      cap: { act: ['cap-lower', 'cap-raise'], run: (ctx) => enterForm(ctx, cap, {}) },
      spend_cap: { act: ['cap-lower', 'cap-raise'], run: (ctx) => enterForm(ctx, spendCap, {}) },
      lock: { act: 'lock', unlocked: true, run: lock },
      unfreeze: {
        act: ['freeze-end', 'freeze-end-unripe'],
        unlocked: true,
        run: askThaw,
      },
      stop: { act: ['pin-undo', 'panic'], unlocked: true, run: stop },
      cancel: { act: 'reads', unlocked: true, run: ({ turn }) => turn.screen.show(stoppedView(turn.words)) },
    },
    forms: [cap, spendCap],
    secrets: {
      old: { act: 'pin-change', run: oldPin },
      first: { act: ['pin-set', 'pin-change'], run: firstPin },
      again: { act: ['pin-set', 'pin-change', 'unlock'], run: againPin },
      cap: { act: ['cap-lower', 'cap-raise'], run: capPin },
      spend: { act: ['cap-lower', 'cap-raise'], run: spendPin },
      unfreeze: { act: ['freeze-end', 'freeze-end-unripe'], run: unfreezePin },
    },
  };
}

function requestOf(state: TapState | null): unknown {
  const payload = state?.payload;
  return typeof payload === 'object' && payload !== null && 'request' in payload ? payload.request : null;
}

function resumeOf(state: TapState | null): Pick<PinSetting, 'resume'> {
  const found = z.object({ resume: RESUME }).safeParse(state?.payload);
  return found.success ? found.data : {};
}

function lamportsOf(payload: unknown): bigint {
  if (typeof payload === 'object' && payload !== null && 'lamports' in payload) {
    if (typeof payload.lamports === 'bigint') return payload.lamports;
  }
  throw new AppError('BUTTON_STALE', {});
}
