import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import type { Feature } from '../../../platform/telegram/feature.ts';
import { askSecret, pinOf, type Question, withPin } from '../../../platform/telegram/secret/ask-pin.ts';
import type { Secret } from '../../../platform/telegram/secret/prompts.ts';
import type { Html } from '../../../platform/telegram/ui/html.ts';
import { keyboard, link, nav } from '../../../platform/telegram/ui/keyboard.ts';
import { utcText } from '../../../platform/telegram/ui/time.ts';
import { ENROLMENT_MS } from '../rules/second-factor.ts';

const SECOND_FACTOR = 'second_factor';

/** An authenticator beside the PIN. Its secret and its recovery codes are shown on a page of the open host, never in the chat. */
export function secondFactorFeature(deps: FeatureDeps): Feature {
  const { guard } = deps;

  async function open(ctx: BotContext, what: 'begin' | 'renew'): Promise<void> {
    if (deps.secondFactorUrl('') === null) {
      await done(ctx, ctx.turn.words.html('factor.no_page'));
      return;
    }
    await askSecret(deps, ctx, question(ctx, what));
  }

  async function begin(ctx: BotContext, secret: Secret, what: 'begin' | 'renew'): Promise<void> {
    const { turn } = ctx;
    const { words } = turn;
    await withPin(deps, ctx, question(ctx, what), async () => {
      const proof = { userId: turn.user.id, pin: pinOf(secret) };
      const { token } = await (what === 'begin'
        ? guard.beginSecondFactor(proof)
        : guard.beginRecoveryCodes(proof));
      const url = deps.secondFactorUrl(token);
      if (url === null) {
        await done(ctx, words.html('factor.no_page'));
        return;
      }
      await turn.screen.show({
        text: words.html(what === 'begin' ? 'factor.link' : 'factor.renew_link', {
          minutes: ENROLMENT_MS / 60_000,
        }),
        keyboard: keyboard(
          [link(words.text('btn.open_page'), url)],
          [nav(words.text('btn.cancel'), 'security', 'cancel')],
        ),
      });
      await deps.secrets.ask(ctx, `${SECOND_FACTOR}:code`, null, ENROLMENT_MS);
    });
  }

  return {
    name: SECOND_FACTOR,
    commands: [],
    taps: {
      open: { act: 'factor-add', run: (ctx) => open(ctx, 'begin') },
      renew: { act: 'factor-codes', run: (ctx) => open(ctx, 'renew') },
      end: { act: 'factor-end', run: (ctx) => askSecret(deps, ctx, question(ctx, 'end')) },
    },
    forms: [],
    secrets: {
      begin: { act: 'factor-add', run: (ctx, secret) => begin(ctx, secret, 'begin') },
      renew: { act: 'factor-codes', run: (ctx, secret) => begin(ctx, secret, 'renew') },
      code: { act: ['factor-add', 'factor-codes'], run: (ctx, secret) => code(deps, ctx, secret) },
      end: { act: 'factor-end', run: (ctx, secret) => end(deps, ctx, secret) },
    },
  };
}

const done = ({ turn }: BotContext, text: Html): Promise<number> =>
  turn.screen.show({
    text,
    keyboard: keyboard([
      nav(turn.words.text('btn.security'), 'security', 'open'),
      nav(turn.words.text('btn.home'), 'home', 'open'),
    ]),
  });

const question = ({ turn }: BotContext, what: 'begin' | 'renew' | 'end'): Question => ({
  to: `${SECOND_FACTOR}:${what}`,
  payload: null,
  isProof: true,
  act: ({ begin: 'factor-add', renew: 'factor-codes', end: 'factor-end' } as const)[what],
  text: turn.words.html(`factor.${what}`),
});

async function code(deps: FeatureDeps, ctx: BotContext, secret: Secret): Promise<void> {
  const { turn } = ctx;
  const again: Question = {
    to: `${SECOND_FACTOR}:code`,
    payload: null,
    isCode: true,
    text: turn.words.html('factor.code'),
  };
  await withPin(deps, ctx, again, async () => {
    const typed = { userId: turn.user.id, code: pinOf(secret).replaceAll(' ', '') };
    const { codesAlone } = await deps.guard.confirmSecondFactor(typed);
    await done(ctx, turn.words.html(codesAlone ? 'factor.renewed' : 'factor.done'));
  });
}

async function end(deps: FeatureDeps, ctx: BotContext, secret: Secret): Promise<void> {
  const { turn } = ctx;
  await withPin(deps, ctx, question(ctx, 'end'), async () => {
    const at = await deps.guard.endSecondFactor({ userId: turn.user.id, pin: pinOf(secret) });
    await done(
      ctx,
      at === null ? turn.words.html('factor.ended') : turn.words.html('factor.ends', { at: utcText(at) }),
    );
  });
}
