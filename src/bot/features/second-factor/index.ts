import { ENROLMENT_MS } from '../../../core/guard/second-factor.ts';
import type { BotContext } from '../../context.ts';
import type { FeatureDeps } from '../../deps.ts';
import type { Feature } from '../../feature.ts';
import { askSecret, type Question, textOf, withPin } from '../../secret/ask-pin.ts';
import type { Secret } from '../../secret/prompts.ts';
import type { Html } from '../../ui/html.ts';
import { keyboard, link, nav } from '../../ui/keyboard.ts';

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
      const proof = { userId: turn.user.id, pin: textOf(secret) };
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
      open: { run: (ctx) => open(ctx, 'begin') },
      renew: { run: (ctx) => open(ctx, 'renew') },
      end: { run: (ctx) => askSecret(deps, ctx, question(ctx, 'end')) },
    },
    forms: [],
    secrets: {
      begin: (ctx, secret) => begin(ctx, secret, 'begin'),
      renew: (ctx, secret) => begin(ctx, secret, 'renew'),
      code: (ctx, secret) => code(deps, ctx, secret),
      end: (ctx, secret) => end(deps, ctx, secret),
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
    const typed = { userId: turn.user.id, code: textOf(secret).replaceAll(' ', '') };
    const { codesAlone } = await deps.guard.confirmSecondFactor(typed);
    await done(ctx, turn.words.html(codesAlone ? 'factor.renewed' : 'factor.done'));
  });
}

async function end(deps: FeatureDeps, ctx: BotContext, secret: Secret): Promise<void> {
  const { turn } = ctx;
  await withPin(deps, ctx, question(ctx, 'end'), async () => {
    await deps.guard.endSecondFactor({ userId: turn.user.id, pin: textOf(secret) });
    await done(ctx, turn.words.html('factor.ended'));
  });
}
