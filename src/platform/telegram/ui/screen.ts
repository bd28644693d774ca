import { type Api, GrammyError, InputFile } from 'grammy';
import type { Html } from './html.ts';
import type { Keyboard } from './keyboard.ts';

/** The content of a message. */
export type View = {
  readonly text: Html;
  readonly keyboard?: Keyboard;
  /** Asks for a typed answer: Telegram opens the reply field with this hint (1 to 64 characters). Excludes a keyboard. */
  readonly placeholder?: string;
  /** A page whose picture Telegram shows above the text, where it can reach the page. Absent: no preview of any link. */
  readonly preview?: string;
};

export type PhotoView = {
  readonly caption: Html;
  readonly keyboard: Keyboard;
  /** A file id of an earlier upload, tried first. */
  readonly fileId: string | null;
  readonly bytes: () => Promise<Uint8Array>;
};

type SentPhoto = { readonly messageId: number; readonly fileId: string | null };

/** The one live message of a chat during one update. */
export interface Screen {
  /** Edits the live message in place when this update came from it (or one was shown in this turn); else sends a new one. */
  show(view: View): Promise<number>;
  /** Always sends: after a typed answer the old screen has scrolled away. */
  fresh(view: View): Promise<number>;
  /** As `show`, for a picture: one photo takes the place of another, and of a text by a new message. Answers the file id to reuse. */
  photo(view: PhotoView): Promise<SentPhoto>;
  /**
   * The live message belongs to an intent from here on, and the commit that wrote the intent says so on the person's row. Views until
   * `keep` are drawn there, and remembered nowhere.
   */
  handedOver(): void;
  /** Lets the current message stay as it is for good; the next view is a new message. */
  keep(): Promise<void>;
  /**
   * The message that the next view takes the place of: the tapped one, or, when `wasTyped`, the last screen with buttons, for
   * which the answer was. Null when there is none that could be edited; a view then is a new message.
   */
  adopt(wasTyped: boolean): number | null;
  /** The message that `show` would edit. */
  readonly messageId: number | null;
}

export type ScreenDeps = {
  readonly api: Api;
  readonly chatId: number;
  /** The tapped message, when this update is a tap that may be edited. */
  readonly tapped: { readonly id: number; readonly photo: boolean } | null;
  /** The live screen as remembered on the person's row. */
  readonly remembered: number | null;
  readonly remember: (messageId: number | null) => Promise<void>;
};

const CANNOT_EDIT =
  /message to edit not found|message can't be edited|MESSAGE_ID_INVALID|no text in the message/i;
const NO_PREVIEW = { is_disabled: true } as const;

export function createScreen(deps: ScreenDeps): Screen {
  let current = deps.tapped;
  let remembered = deps.remembered;
  let isHandedOver = false;

  async function remember(id: number | null): Promise<void> {
    if (remembered === id || isHandedOver) return;
    remembered = id;
    await deps.remember(id);
  }

  async function send(view: View): Promise<number> {
    const old = remembered;
    const [sent] = await Promise.all([
      deps.api.sendMessage(deps.chatId, view.text.markup, messageOptions(view)),
      old === null ? null : stripKeyboard(deps.api, deps.chatId, old),
    ]);
    current = { id: sent.message_id, photo: false };
    // Only buttons have to be taken away later; a question with a reply field cannot be edited at all.
    await remember(hasButtons(view) ? sent.message_id : null);
    return sent.message_id;
  }

  async function show(view: View): Promise<number> {
    if (current === null || view.placeholder !== undefined) return send(view);
    if (current.photo) {
      // A photo cannot be edited into text.
      await deleteQuietly(deps.api, deps.chatId, current.id);
      current = null;
      return send(view);
    }
    const edited = await editText(deps.api, deps.chatId, current.id, view);
    if (!edited) {
      current = null;
      return send(view);
    }
    await remember(current.id);
    return current.id;
  }

  return {
    show,
    fresh: send,
    photo: async (view) => {
      const before = current;
      if (before?.photo === true) {
        const edited = await editPhoto(deps.api, deps.chatId, before.id, view);
        if (edited !== null) {
          await remember(before.id);
          return edited;
        }
      }
      const sent = await sendPhoto(deps.api, deps.chatId, view);
      if (before !== null) await deleteQuietly(deps.api, deps.chatId, before.id);
      else if (remembered !== null) await stripKeyboard(deps.api, deps.chatId, remembered);
      current = { id: sent.messageId, photo: true };
      await remember(sent.messageId);
      return sent;
    },
    handedOver: () => {
      isHandedOver = true;
      remembered = null;
    },
    keep: async () => {
      current = null;
      await remember(null);
      isHandedOver = false;
    },
    adopt: (wasTyped) => {
      if (wasTyped && current === null && remembered !== null) current = { id: remembered, photo: false };
      return current === null || current.photo ? null : current.id;
    },
    get messageId() {
      return current?.id ?? null;
    },
  };
}

const hasButtons = (view: View): boolean =>
  view.placeholder === undefined && (view.keyboard ?? []).length > 0;

const previewOf = ({ preview }: View) =>
  preview === undefined ? NO_PREVIEW : { url: preview, prefer_large_media: true, show_above_text: true };

export function messageOptions(view: View) {
  return {
    parse_mode: 'HTML' as const,
    link_preview_options: previewOf(view),
    ...(view.placeholder !== undefined
      ? {
          reply_markup: {
            force_reply: true as const,
            input_field_placeholder: view.placeholder.slice(0, 64),
          },
        }
      : hasButtons(view)
        ? { reply_markup: { inline_keyboard: (view.keyboard ?? []).map((row) => [...row]) } }
        : {}),
  };
}

/** Edits a message's text and buttons. True when it now shows the view, false when it cannot be edited any more. */
export async function editText(api: Api, chatId: number, messageId: number, view: View): Promise<boolean> {
  try {
    await api.editMessageText(chatId, messageId, view.text.markup, {
      parse_mode: 'HTML',
      link_preview_options: previewOf(view),
      reply_markup: { inline_keyboard: (view.keyboard ?? []).map((row) => [...row]) },
    });
    return true;
  } catch (error) {
    if (!(error instanceof GrammyError) || error.error_code !== 400) throw error;
    if (error.description.includes('message is not modified')) return true;
    if (CANNOT_EDIT.test(error.description)) return false;
    throw error;
  }
}

/** Sends a message that is no screen: a result, a receipt, a notice. */
export async function sendView(api: Api, chatId: number, view: View): Promise<number> {
  const sent = await api.sendMessage(chatId, view.text.markup, messageOptions(view));
  return sent.message_id;
}

async function sendPhoto(api: Api, chatId: number, view: PhotoView): Promise<SentPhoto> {
  return withFileId(view, async (media) => {
    const sent = await api.sendPhoto(chatId, media, {
      caption: view.caption.markup,
      parse_mode: 'HTML',
      reply_markup: { inline_keyboard: view.keyboard.map((row) => [...row]) },
    });
    return { messageId: sent.message_id, fileId: sent.photo.at(-1)?.file_id ?? null };
  });
}

/** Puts another picture into a photo message; null when that cannot be edited any more. */
async function editPhoto(
  api: Api,
  chatId: number,
  messageId: number,
  view: PhotoView,
): Promise<SentPhoto | null> {
  const put = async (media: string | InputFile): Promise<SentPhoto> => {
    const edited = await api.editMessageMedia(
      chatId,
      messageId,
      { type: 'photo', media, caption: view.caption.markup, parse_mode: 'HTML' },
      { reply_markup: { inline_keyboard: view.keyboard.map((row) => [...row]) } },
    );
    const photo = typeof edited === 'object' && 'photo' in edited ? edited.photo : undefined;
    return { messageId, fileId: photo?.at(-1)?.file_id ?? (typeof media === 'string' ? media : null) };
  };
  try {
    return await withFileId(view, put);
  } catch (error) {
    if (!(error instanceof GrammyError) || error.error_code !== 400) throw error;
    if (error.description.includes('message is not modified')) return { messageId, fileId: view.fileId };
    if (CANNOT_EDIT.test(error.description)) return null;
    throw error;
  }
}

/** Tries the file that Telegram has already, and uploads where it knows it no more. */
async function withFileId<T>(view: PhotoView, put: (media: string | InputFile) => Promise<T>): Promise<T> {
  if (view.fileId !== null) {
    try {
      return await put(view.fileId);
    } catch (error) {
      // A file id of another bot, or one Telegram forgot: upload again.
      if (
        !(error instanceof GrammyError) ||
        !/wrong (file[_ ]id|file identifier|remote file)/i.test(error.description)
      ) {
        throw error;
      }
    }
  }
  return put(new InputFile(await view.bytes(), 'picture.png'));
}

/** An old keyboard is a trap for the thumb; but whether it could be removed changes nothing. */
async function stripKeyboard(api: Api, chatId: number, messageId: number): Promise<void> {
  await api
    .editMessageReplyMarkup(chatId, messageId, { reply_markup: { inline_keyboard: [] } })
    .catch(ignoreApiErrors);
}

async function deleteQuietly(api: Api, chatId: number, messageId: number): Promise<void> {
  await api.deleteMessage(chatId, messageId).catch(ignoreApiErrors);
}

function ignoreApiErrors(error: unknown): void {
  if (!(error instanceof GrammyError)) throw error;
}
