import { z } from 'zod';
import { AppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../context.ts';
import type { FeatureDeps } from '../../deps.ts';
import { enterForm } from '../../dialog/enter-form.ts';
import { text } from '../../dialog/fields.ts';
import type { Feature, TapState } from '../../feature.ts';
import { askSecret, type Question, textOf, withPin } from '../../secret/ask-pin.ts';
import type { Secret } from '../../secret/prompts.ts';
import { solText } from '../../ui/amounts.ts';
import type { Html } from '../../ui/html.ts';
import { keyboard, nav } from '../../ui/keyboard.ts';
import { payloadOf } from '../../ui/payload.ts';
import { stoppedView } from '../../ui/stopped.ts';
import { utcText } from '../../ui/time.ts';
import { capForm } from './flow.ts';
import { SECURITY, securityView } from './view.ts';

const RESUME = z.object({ feature: text, stateId: text });

/** What a PIN that is being set is for. `replaces`: the hash it takes the place of. `request`: a withdrawal that waits for it. */
const PIN_SETTING = z.object({
  replaces: text.nullable(),
  hash: text.exactOptional(),
  request: z.unknown().optional(),
  /** What else waits for it: the feature that takes up again what stands behind the button's row. */
  resume: RESUME.exactOptional(),
});
type PinSetting = z.infer<typeof PIN_SETTING>;

/** PIN, daily cap, unlocking. */
export function securityFeature(deps: FeatureDeps): Feature {
  const { guard } = deps;

  async function open({ turn }: BotContext): Promise<void> {
    await turn.screen.show(securityView(turn.words, await guard.overview({ userId: turn.user.id })));
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
        text: turn.words.html('security.pin_old'),
      });
      return;
    }
    const payload: PinSetting = { replaces: null, request: requestOf(state), ...resumeOf(state) };
    await askSecret(deps, ctx, { to: 'security:first', payload, text: turn.words.html('security.pin_new') });
  }

  async function oldPin(ctx: BotContext, secret: Secret): Promise<void> {
    const { words, user } = ctx.turn;
    const again: Question = {
      to: 'security:old',
      payload: null,
      isProof: true,
      text: words.html('security.pin_old'),
    };
    await withPin(deps, ctx, again, async () => {
      const replaces = await guard.beginPinChange({ userId: user.id, pin: textOf(secret) });
      const payload: PinSetting = { replaces };
      await askSecret(deps, ctx, { to: 'security:first', payload, text: words.html('security.pin_new') });
    });
  }

  async function firstPin(ctx: BotContext, secret: Secret, payload: unknown): Promise<void> {
    const { words, user } = ctx.turn;
    const again = { to: 'security:first', payload, text: words.html('security.pin_new') };
    await withPin(deps, ctx, again, async () => {
      // Its slow, peppered hash is what waits for the second typing; never the PIN.
      const hash = await guard.hashPin({ userId: user.id, pin: textOf(secret) });
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
      if (!(await guard.setPin({ userId: turn.user.id, hash, again: textOf(secret), replaces }))) {
        await askSecret(deps, ctx, differs);
        return;
      }
      if (setting.request !== undefined && setting.request !== null) {
        await turn.go('withdraw', 'resume', setting.request);
        return;
      }
      if (setting.resume !== undefined) {
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
    text: turn.words.html('security.cap_pin', { cap: solText(lamports) }),
  });
  const askCapPin = (ctx: BotContext, lamports: bigint): Promise<void> =>
    askSecret(deps, ctx, capQuestion(ctx, lamports));

  async function capPin(ctx: BotContext, secret: Secret, payload: unknown): Promise<void> {
    const { words, user } = ctx.turn;
    const lamports = lamportsOf(payload);
    await withPin(deps, ctx, capQuestion(ctx, lamports), async () => {
      const changed = await guard.changeCap({ userId: user.id, pin: textOf(secret), lamports });
      await done(
        ctx,
        changed.raisedAt === null
          ? words.html('security.cap_done', { cap: solText(changed.cap) })
          : words.html('security.cap_waits', { cap: solText(lamports), at: utcText(changed.raisedAt) }),
      );
    });
  }

  const spendCap = capForm('spending', (ctx, { lamports }) =>
    askSecret(deps, ctx, spendQuestion(ctx, lamports)),
  );

  const spendQuestion = ({ turn }: BotContext, lamports: bigint) => ({
    to: 'security:spend',
    payload: { lamports },
    isProof: true as const,
    text: turn.words.html('security.spend_pin', { cap: solText(lamports) }),
  });

  async function spendPin(ctx: BotContext, secret: Secret, payload: unknown): Promise<void> {
    const { words, user } = ctx.turn;
    const lamports = lamportsOf(payload);
    await withPin(deps, ctx, spendQuestion(ctx, lamports), async () => {
      const request = { userId: user.id, pin: textOf(secret), lamports, kind: 'spending' as const };
      const { cap: inForce, raisedAt } = await guard.changeCap(request);
      await done(
        ctx,
        raisedAt === null
          ? words.html('security.spend_done', { cap: solText(inForce) })
          : words.html('security.spend_waits', { cap: solText(lamports), at: utcText(raisedAt) }),
      );
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
    text: turn.words.html('security.unfreeze_pin'),
  });

  async function unfreezePin(ctx: BotContext, secret: Secret): Promise<void> {
    const { words, user } = ctx.turn;
    await withPin(deps, ctx, unfreezeQuestion(ctx), async () => {
      const { until } = await guard.unfreeze({ userId: user.id, pin: textOf(secret) });
      await done(
        ctx,
        until === null
          ? words.html('security.unfrozen')
          : words.html('security.unfreeze_waits', { at: utcText(until) }),
      );
    });
  }

  return {
    name: SECURITY,
    commands: [],
    taps: {
      open: { unlocked: true, run: open },
      pin: { unlocked: true, run: startPin },
      cap: { run: (ctx) => enterForm(ctx, cap, {}) },
      spend_cap: { run: (ctx) => enterForm(ctx, spendCap, {}) },
      lock: { unlocked: true, run: lock },
      unfreeze: { unlocked: true, run: (ctx) => askSecret(deps, ctx, unfreezeQuestion(ctx)) },
      cancel: { unlocked: true, run: ({ turn }) => turn.screen.show(stoppedView(turn.words)) },
    },
    forms: [cap, spendCap],
    secrets: {
      old: oldPin,
      first: firstPin,
      again: againPin,
      cap: capPin,
      spend: spendPin,
      unfreeze: unfreezePin,
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
