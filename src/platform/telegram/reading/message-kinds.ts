import type { Chat, Message, Update } from 'grammy/types';

/**
 * The bot's treatment of every kind of update, chat, content and envelope that Telegram's Bot API has. Each table is total against the
 * types of grammY: a kind that a new release brings does not compile before it has an answer here.
 */

/** `message`, `tap`, `membership`: handled. `unasked`: Telegram is not asked for it, and one that comes all the same is dropped. */
export type UpdateAnswer = 'message' | 'tap' | 'membership' | 'unasked';

export const UPDATES = {
  message: 'message',
  callback_query: 'tap',
  my_chat_member: 'membership',
  // The first text counts: an edit is no second order.
  edited_message: 'unasked',
  channel_post: 'unasked',
  edited_channel_post: 'unasked',
  // Written on behalf of a person's account, by its owner or by a bot of theirs: never to this bot.
  business_connection: 'unasked',
  business_message: 'unasked',
  edited_business_message: 'unasked',
  deleted_business_messages: 'unasked',
  guest_message: 'unasked',
  stopped_message_generation: 'unasked',
  message_reaction: 'unasked',
  message_reaction_count: 'unasked',
  inline_query: 'unasked',
  chosen_inline_result: 'unasked',
  // The bot sells nothing through Telegram.
  shipping_query: 'unasked',
  pre_checkout_query: 'unasked',
  purchased_paid_media: 'unasked',
  subscription: 'unasked',
  poll: 'unasked',
  poll_answer: 'unasked',
  chat_member: 'unasked',
  chat_join_request: 'unasked',
  chat_boost: 'unasked',
  removed_chat_boost: 'unasked',
  managed_bot: 'unasked',
} as const satisfies Record<Exclude<keyof Update, 'update_id'>, UpdateAnswer>;

type UpdateKind = keyof typeof UPDATES;
type AskedFor = { [K in UpdateKind]: (typeof UPDATES)[K] extends 'unasked' ? never : K }[UpdateKind];

const ASKED_FOR: Readonly<Record<string, UpdateAnswer>> = UPDATES;
const isAskedFor = (kind: string): kind is AskedFor => (ASKED_FOR[kind] ?? 'unasked') !== 'unasked';

/** The updates requested from Telegram, by polling and by webhook alike. */
export const ALLOWED_UPDATES: readonly AskedFor[] = Object.keys(UPDATES).filter(isAskedFor);

/** `talks`: everything below holds. `scans`: messages are answered by `modules/groups` alone, taps by nothing. `silence`: nothing. */
export const PLACES = {
  private: 'talks',
  group: 'scans',
  supergroup: 'scans',
  channel: 'silence',
} as const satisfies Record<Chat['type'], 'talks' | 'scans' | 'silence'>;

/**
 * `words`: its text is read. `caption`: the words under it are read; without words it is named. `named`: one sentence lists the kinds that
 * are read here, and an open question stays. `silence`: Telegram's own note about the chat; it is no answer, ends no question and counts
 * for no limit.
 */
export type ContentAnswer = 'words' | 'caption' | 'named' | 'silence';

export type Content = Exclude<keyof Message, keyof Message.MediaMessage | 'entities'>;

/** In the order in which a message is known by its fields: an animation has a `document` too, a venue a `location`. */
export const CONTENTS = {
  text: 'words',
  animation: 'caption',
  venue: 'named',
  photo: 'caption',
  live_photo: 'caption',
  video: 'caption',
  audio: 'caption',
  voice: 'caption',
  document: 'caption',
  paid_media: 'caption',
  video_note: 'named',
  sticker: 'named',
  dice: 'named',
  contact: 'named',
  location: 'named',
  poll: 'named',
  game: 'named',
  story: 'named',
  checklist: 'named',
  rich_message: 'named',
  invoice: 'named',
  giveaway: 'named',
  pinned_message: 'silence',
  message_auto_delete_timer_changed: 'silence',
  write_access_allowed: 'silence',
  connected_website: 'silence',
  // Answers to keyboards that this bot never shows.
  users_shared: 'silence',
  chat_shared: 'silence',
  web_app_data: 'silence',
  passport_data: 'silence',
  // The bot takes no payments and no gifts: nothing that a person holds here changes.
  successful_payment: 'silence',
  refunded_payment: 'silence',
  gift: 'silence',
  unique_gift: 'silence',
  gift_upgrade_sent: 'silence',
  checklist_tasks_done: 'silence',
  checklist_tasks_added: 'silence',
  poll_option_added: 'silence',
  poll_option_deleted: 'silence',
  proximity_alert_triggered: 'silence',
  chat_background_set: 'silence',
  boost_added: 'silence',
  new_chat_members: 'silence',
  left_chat_member: 'silence',
  new_chat_title: 'silence',
  new_chat_photo: 'silence',
  delete_chat_photo: 'silence',
  group_chat_created: 'silence',
  supergroup_chat_created: 'silence',
  channel_chat_created: 'silence',
  migrate_to_chat_id: 'silence',
  migrate_from_chat_id: 'silence',
  chat_owner_left: 'silence',
  chat_owner_changed: 'silence',
  managed_bot_created: 'silence',
  community_chat_added: 'silence',
  community_chat_joined: 'silence',
  community_chat_removed: 'silence',
  forum_topic_created: 'silence',
  forum_topic_edited: 'silence',
  forum_topic_closed: 'silence',
  forum_topic_reopened: 'silence',
  general_forum_topic_hidden: 'silence',
  general_forum_topic_unhidden: 'silence',
  giveaway_created: 'silence',
  giveaway_winners: 'silence',
  giveaway_completed: 'silence',
  paid_message_price_changed: 'silence',
  direct_message_price_changed: 'silence',
  suggested_post_info: 'silence',
  suggested_post_approved: 'silence',
  suggested_post_approval_failed: 'silence',
  suggested_post_declined: 'silence',
  suggested_post_paid: 'silence',
  suggested_post_refunded: 'silence',
  video_chat_scheduled: 'silence',
  video_chat_started: 'silence',
  video_chat_ended: 'silence',
  video_chat_participants_invited: 'silence',
} as const satisfies Record<Content, ContentAnswer>;

/** Whose words a message is made of, where they are not its sender's own: see `authored`. */
export type Borrowed = 'forwarded' | 'quoted' | 'by-bot';

/** The meaning of the fields around the content: `plain` changes nothing, `chat` is a message on behalf of a chat, which is dropped in private. */
export const ENVELOPE = {
  forward_origin: 'forwarded',
  is_automatic_forward: 'forwarded',
  external_reply: 'quoted',
  quote: 'quoted',
  via_bot: 'by-bot',
  sender_business_bot: 'by-bot',
  guest_bot_caller_user: 'by-bot',
  guest_bot_caller_chat: 'by-bot',
  // An anonymous admin, or a channel that writes as itself.
  sender_chat: 'chat',
  message_id: 'plain',
  message_thread_id: 'plain',
  from: 'plain',
  date: 'plain',
  chat: 'plain',
  guest_query_id: 'plain',
  business_connection_id: 'plain',
  is_topic_message: 'plain',
  direct_messages_topic: 'plain',
  sender_tag: 'plain',
  receiver_user: 'plain',
  ephemeral_message_id: 'plain',
  sender_boost_count: 'plain',
  // The answer to a question of the bot is a reply to it.
  reply_to_message: 'plain',
  reply_to_checklist_task_id: 'plain',
  reply_to_poll_option_id: 'plain',
  reply_to_story: 'plain',
  is_paid_post: 'plain',
  edit_date: 'plain',
  has_protected_content: 'plain',
  show_caption_above_media: 'plain',
  is_from_offline: 'plain',
  author_signature: 'plain',
  link_preview_options: 'plain',
  effect_id: 'plain',
  paid_star_count: 'plain',
  reply_markup: 'plain',
  caption: 'plain',
  caption_entities: 'plain',
  media_group_id: 'plain',
  has_media_spoiler: 'plain',
} as const satisfies Record<keyof Message.MediaMessage, Borrowed | 'chat' | 'plain'>;
