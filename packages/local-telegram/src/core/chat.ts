import type {
  Chat as ApiChat,
  ForceReply,
  Message,
  ReplyKeyboardMarkup,
  ReplyKeyboardRemove,
  User,
} from '@grammyjs/types';

/** A message as the API shows it, plus facts that only a person's client knows. */
export type ChatMessage = {
  readonly message: Message;
  /** A keyboard that replaces or serves the input line; the API never sends it back. */
  readonly keyboard?: ReplyKeyboardMarkup | ForceReply | ReplyKeyboardRemove;
  /** The bot's reaction to the message, an emoji. */
  readonly reaction?: string;
};

/** A group that the bot is in, as its messages name it. */
export type Group = ApiChat.GroupChat | ApiChat.SupergroupChat;

/** One person's private chat with the bot. Messages are kept in order of their ids. */
export type Chat = {
  readonly user: User;
  /** Set where it is a group's chat; `user` then only carries its id and title. */
  readonly group?: Group;
  /** The group's creator: the person who wrote there first. */
  readonly creator?: User;
  /** False until the person's first message: until then the bot does not know the chat. */
  started: boolean;
  blocked: boolean;
  pinnedId: number | undefined;
  readonly messages: Map<number, ChatMessage>;
};

/** The oldest messages beyond this are forgotten, so that a long benchmark does not fill the memory. */
const MAX_MESSAGES = 400;

export function createChat(user: User): Chat {
  return { user, started: false, blocked: false, pinnedId: undefined, messages: new Map() };
}

/** A group's chat. Groups are in memory alone, and on no page: a restart forgets them. */
export function createGroupChat(group: Group, creator: User): Chat {
  const user = { id: group.id, is_bot: false, first_name: group.title };
  return { ...createChat(user), group, creator, started: true };
}

export function keepMessage(chat: Chat, message: ChatMessage): void {
  chat.messages.set(message.message.message_id, message);
  if (chat.messages.size <= MAX_MESSAGES) return;
  for (const id of chat.messages.keys()) {
    chat.messages.delete(id);
    return;
  }
}

/** The `chat` object of the API. */
export function chatObject({ user, group }: Pick<Chat, 'user' | 'group'>): ApiChat.PrivateChat | Group {
  if (group !== undefined) return group;
  return {
    id: user.id,
    type: 'private',
    first_name: user.first_name,
    ...(user.last_name === undefined ? {} : { last_name: user.last_name }),
    ...(user.username === undefined ? {} : { username: user.username }),
  };
}
