import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { enterForm } from '../../../platform/telegram/dialog/enter-form.ts';
import type { Form } from '../../../platform/telegram/dialog/form.ts';
import type { Feature, TapState } from '../../../platform/telegram/feature.ts';
import { act, inRows, keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import { textField, textList } from '../../../platform/telegram/ui/payload.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { unknownCommand } from '../../../platform/telegram/ui/unknown-command.ts';
import { limitsAt } from '../rules/key-limits.ts';
import type { KeyRequest } from '../rules/key-request.ts';
import type { Review, Reviewer } from '../use/review-request.ts';
import { CARD_TTL_MS, KEY_REVIEW, keyCard, keyLimits } from './card-view.ts';
import { type Judged, limitsForm, questionForm, reasonForm } from './review-flow.ts';

const LISTED = 8;

/** Requests for API keys, for operators: /keys lists the waiting ones, and the cards of the notices carry the same buttons. */
export function keyReviewFeature(deps: FeatureDeps): Feature {
  const { keyReview } = deps;
  async function open(ctx: BotContext, state: TapState | null): Promise<void> {
    const { turn } = ctx;
    const requestId = textList(state, 'ids')[state?.index ?? -1] ?? '';
    const found = await keyReview.find(reviewer(ctx), requestId);
    if (found === null || found.request.status !== 'confirmed') {
      await turn.screen.show(outcomeView(ctx, found?.request ?? null));
      return;
    }
    const stateId = await deps.states.issue({
      userId: turn.user.id,
      feature: KEY_REVIEW,
      payload: { requestId },
      ttlMs: CARD_TTL_MS,
    });
    const proposed = keyReview.proposed(found.request);
    await turn.screen.show(keyCard(turn.words, { ...found, proposed, stateId }));
  }

  async function grant(ctx: BotContext, state: TapState | null): Promise<void> {
    const found = await keyReview.find(reviewer(ctx), textField(state, 'requestId'));
    const review =
      found === null
        ? null
        : await keyReview.grant(reviewer(ctx), found.request.id, keyReview.proposed(found.request));
    await ctx.turn.screen.show(reviewView(ctx, review, 'granted'));
  }

  /** Opens one of the dialogues, unless the request was decided meanwhile. */
  const asking =
    (form: Form<Judged>) =>
    async (ctx: BotContext, state: TapState | null): Promise<void> => {
      const found = await keyReview.find(reviewer(ctx), textField(state, 'requestId'));
      if (found === null || found.request.status !== 'confirmed') {
        await ctx.turn.screen.fresh(outcomeView(ctx, found?.request ?? null));
        return;
      }
      const { id: requestId, project, email } = found.request;
      await enterForm(ctx, form, { requestId, project, email });
    };

  const { limits, question, reason } = reviewForms(deps);
  const unlocked = true;
  return {
    name: KEY_REVIEW,
    commands: [],
    taps: {
      open: { act: 'reads', unlocked, run: open },
      grant: { act: 'operator', unlocked, run: grant },
      other: { act: 'operator', unlocked, run: asking(limits) },
      ask: { act: 'operator', unlocked, run: asking(question) },
      refuse: { act: 'operator', unlocked, run: asking(reason) },
    },
    forms: [limits, question, reason],
    hidden: [{ name: 'keys', act: 'reads', forOperators: true, run: (ctx) => list(deps, ctx) }],
  };
}

const reviewer = ({ turn }: BotContext): Reviewer => ({ telegramId: turn.user.telegramId });

async function list(deps: FeatureDeps, ctx: BotContext): Promise<void> {
  const { keyReview } = deps;
  const { turn } = ctx;
  const { words } = turn;
  if (!keyReview.isOperator(turn.user.telegramId)) {
    // To anybody else there is no such command.
    await turn.screen.fresh({
      text: unknownCommand(words, '/keys', []),
      keyboard: keyboard([nav(words.text('btn.home'), 'home', 'open')]),
    });
    return;
  }
  const waiting = (await keyReview.waiting(reviewer(ctx))).slice(0, LISTED);
  if (waiting.length === 0) {
    await turn.screen.fresh({ text: words.html('keys.none') });
    return;
  }
  const payload = { ids: waiting.map(({ id }) => id) };
  const stateId = await deps.states.issue({ userId: turn.user.id, feature: KEY_REVIEW, payload });
  await turn.screen.fresh({
    text: words.html('keys.waiting', { count: waiting.length }),
    keyboard: inRows(
      waiting.map(({ project }, index) =>
        act(
          words.text('btn.key_show', { project: project.slice(0, 40) }),
          KEY_REVIEW,
          `open-${index}`,
          stateId,
        ),
      ),
      1,
    ),
  });
}

/** The dialogues of a decision: grant with other limits, ask, refuse. */
function reviewForms({ keyReview }: FeatureDeps) {
  return {
    limits: limitsForm(async (ctx, { requestId, rate, quota }) => {
      const found = await keyReview.find(reviewer(ctx), requestId);
      const review =
        found === null
          ? null
          : await keyReview.grant(reviewer(ctx), requestId, {
              ...keyReview.proposed(found.request),
              ...limitsAt(rate),
              dayQuota: quota === 0 ? null : quota,
            });
      await ctx.turn.screen.show(reviewView(ctx, review, 'granted'));
    }),
    question: questionForm(async (ctx, { requestId, words }) => {
      const review = await keyReview.ask(reviewer(ctx), requestId, words);
      await ctx.turn.screen.show(reviewView(ctx, review, 'asked_done'));
    }),
    reason: reasonForm(async (ctx, { requestId, words }) => {
      const review = await keyReview.refuse(reviewer(ctx), requestId, words);
      await ctx.turn.screen.show(reviewView(ctx, review, 'refused'));
    }),
  };
}

function reviewView(
  ctx: BotContext,
  review: Review | null,
  done: 'granted' | 'refused' | 'asked_done',
): View {
  const { words } = ctx.turn;
  if (review === null || review.kind === 'decided') return outcomeView(ctx, review?.request ?? null);
  const { project, email, granted } = review.request;
  if (done === 'granted' && granted !== null) {
    return { text: words.html('keys.granted', { project, email, limits: keyLimits(words, granted) }) };
  }
  return { text: words.html(done === 'refused' ? 'keys.refused' : 'keys.asked_done', { project, email }) };
}

/** The outcome of a request that waits for no answer any more. */
function outcomeView({ turn: { words } }: BotContext, request: KeyRequest | null): View {
  if (request === null) return { text: words.html('keys.gone') };
  const status = words.text(`keys.status.${request.status}`);
  return { text: words.html('keys.decided', { project: request.project, status }) };
}
