import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import type { Feature, TapState } from '../../../platform/telegram/feature.ts';
import { textField } from '../../../platform/telegram/ui/payload.ts';
import { displayName } from '../../tokens/rules/display-name.ts';
import { changeGroup, ownGroup } from '../use/group-settings.ts';
import { GROUPS, languageAt, ownGroupView } from './view.ts';

/** A group's choices, which its creator makes in the private chat. */
export function groupsFeature(deps: FeatureDeps): Feature {
  const groupOf = (tap: TapState | null): bigint => {
    const text = textField(tap, 'groupId');
    if (!/^-\d{1,16}$/.test(text)) throw new AppError('BUTTON_STALE', {});
    return BigInt(text);
  };
  const asked = async (ctx: BotContext, tap: TapState | null) => {
    const groupId = groupOf(tap);
    return { groupId, user: ctx.turn.user, creatorId: await creatorOf(ctx, groupId) };
  };
  async function show(ctx: BotContext, group: Awaited<ReturnType<typeof ownGroup>>): Promise<void> {
    const { turn } = ctx;
    const payload = { groupId: String(group.id), carriesCode: String(group.carriesCode) };
    const stateId = await deps.states.issue({ userId: turn.user.id, feature: GROUPS, payload });
    await turn.screen.show(ownGroupView(turn.words, { group, title: await titleOf(ctx, group.id), stateId }));
  }
  return {
    name: GROUPS,
    commands: [],
    taps: {
      open: {
        act: 'reads',
        unlocked: true,
        run: async (ctx, tap) => show(ctx, await ownGroup(deps, await asked(ctx, tap))),
      },
      code: {
        act: 'display',
        unlocked: true,
        run: async (ctx, tap) => {
          const carriesCode = textField(tap, 'carriesCode') !== 'true';
          await show(ctx, await changeGroup(deps, { ...(await asked(ctx, tap)), change: { carriesCode } }));
        },
      },
      language: {
        act: 'display',
        unlocked: true,
        run: async (ctx, tap) => {
          const language = languageAt(tap?.index ?? -1);
          if (language === undefined) throw new AppError('BUTTON_STALE', {});
          await show(ctx, await changeGroup(deps, { ...(await asked(ctx, tap)), change: { language } }));
        },
      },
    },
    forms: [],
  };
}

/** Null where the bot is no member, and where the creator is anonymous. */
async function creatorOf(ctx: BotContext, groupId: bigint): Promise<bigint | null> {
  const admins = await ctx.api.getChatAdministrators(Number(groupId)).catch(() => []);
  const creator = admins.find((admin) => admin.status === 'creator' && !admin.is_anonymous);
  return creator === undefined ? null : BigInt(creator.user.id);
}

async function titleOf(ctx: BotContext, groupId: bigint): Promise<string> {
  const chat = await ctx.api.getChat(Number(groupId)).catch(() => null);
  return displayName(chat?.title ?? null) ?? String(groupId);
}
