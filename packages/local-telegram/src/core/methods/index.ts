import type { MethodName, RawArgs } from '../args.ts';
import { createArgs } from '../args.ts';
import { TgError } from '../tg-error.ts';
import type { World } from '../world.ts';
import * as callback from './callback.ts';
import * as chatInfo from './chat-info.ts';
import * as deletion from './delete.ts';
import * as edit from './edit.ts';
import type { CallExtras, Handler } from './handler.ts';
import * as profile from './profile.ts';
import { sendChatAction, sendDocument, sendMessage, sendPhoto } from './send.ts';
import * as updates from './updates.ts';

/** The registry: one line per method. `satisfies` refuses a name Telegram does not have, or a wrong result. */
const METHODS = {
  getMe: profile.getMe,
  logOut: profile.logOut,
  close: profile.close,
  getUpdates: updates.getUpdates,
  setWebhook: updates.setWebhook,
  deleteWebhook: updates.deleteWebhook,
  getWebhookInfo: updates.getWebhookInfo,
  sendMessage,
  sendPhoto,
  sendDocument,
  sendChatAction,
  editMessageText: edit.editMessageText,
  editMessageCaption: edit.editMessageCaption,
  editMessageMedia: edit.editMessageMedia,
  editMessageReplyMarkup: edit.editMessageReplyMarkup,
  deleteMessage: deletion.deleteMessage,
  deleteMessages: deletion.deleteMessages,
  answerCallbackQuery: callback.answerCallbackQuery,
  getFile: chatInfo.getFile,
  getChat: chatInfo.getChat,
  getChatAdministrators: chatInfo.getChatAdministrators,
  setMessageReaction: chatInfo.setMessageReaction,
  pinChatMessage: chatInfo.pinChatMessage,
  unpinChatMessage: chatInfo.unpinChatMessage,
  setMyCommands: profile.setMyCommands,
  getMyCommands: profile.getMyCommands,
  deleteMyCommands: profile.deleteMyCommands,
  setMyName: profile.setMyName,
  getMyName: profile.getMyName,
  setMyDescription: profile.setMyDescription,
  getMyDescription: profile.getMyDescription,
  setMyShortDescription: profile.setMyShortDescription,
  getMyShortDescription: profile.getMyShortDescription,
  setChatMenuButton: profile.setChatMenuButton,
  getChatMenuButton: profile.getChatMenuButton,
} satisfies { readonly [M in MethodName]?: Handler<M> };

type Run = (world: World, raw: RawArgs, extras: CallExtras) => unknown;

const BY_LOWER_NAME: ReadonlyMap<string, { readonly name: string; readonly run: Run }> = new Map(
  Object.entries(METHODS).map(([name, handler]) => {
    // One erasure for the whole table: each handler was checked against its own method above.
    const call = handler as unknown as Handler<MethodName>;
    const run: Run = (world, raw, extras) => call(world, createArgs(raw), extras);
    return [name.toLowerCase(), { name, run }];
  }),
);

/** The method's own spelling; undefined when it is not one of ours. */
export function methodName(anyCase: string): string | undefined {
  return BY_LOWER_NAME.get(anyCase.toLowerCase())?.name;
}

/** Carries out one method. Rejects with TgError for every call that Telegram would refuse. */
export async function runMethod(
  world: World,
  method: string,
  raw: RawArgs,
  extras: CallExtras,
): Promise<unknown> {
  const found = BY_LOWER_NAME.get(method.toLowerCase());
  if (found === undefined) throw new TgError(404, 'Not Found: method not found');
  return await found.run(world, raw, extras);
}
