import { invitePayload } from '../../../core/referrals/start-payload.ts';
import type { BotContext } from '../../context.ts';

export const inviteLink = (ctx: BotContext, inviteCode: string, tag: string | null = null): string =>
  `https://t.me/${ctx.me.username}?start=${invitePayload(inviteCode, tag)}`;
