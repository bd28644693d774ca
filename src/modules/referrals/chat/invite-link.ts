import type { BotContext } from '../../../platform/telegram/context.ts';
import { invitePayload } from '../rules/start-payload.ts';

export const inviteLink = (ctx: BotContext, inviteCode: string, tag: string | null = null): string =>
  `https://t.me/${ctx.me.username}?start=${invitePayload(inviteCode, tag)}`;
