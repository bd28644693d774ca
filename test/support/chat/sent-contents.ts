import type { SentContent } from '@tradepost/local-telegram';
import type { Content } from '../../../src/platform/telegram/reading/message-kinds.ts';

const USER = { id: 9_000, is_bot: false, first_name: 'Friend' };
const FILE = { file_id: 'AgACAgQAAx', file_unique_id: 'AQADx' };
const VIDEO = { ...FILE, width: 64, height: 64, duration: 1 };
const NOTE = { ...FILE, length: 64, duration: 1 };
const PLAIN = { message_id: 1, date: 0, chat: { id: 9_000, type: 'private', first_name: 'Friend' } };
const MONEY = { currency: 'XTR', total_amount: 1 };
const PRICE = { currency: 'XTR', amount: 1 };
const STARS = { amount: 1 };
const POST = { suggested_post_message: PLAIN };

/** One message of every content that the Bot API has: the fields that say what it is. */
export const SENT_CONTENTS: Readonly<Record<Content, SentContent>> = {
  text: { text: 'Zzyzx nothing' },
  animation: { animation: VIDEO, document: FILE },
  venue: {
    venue: { location: { latitude: 0, longitude: 0 }, title: 'T', address: 'A' },
    location: { latitude: 0, longitude: 0 },
  },
  photo: { photo: [{ ...FILE, width: 1, height: 1 }] },
  live_photo: { live_photo: { ...VIDEO, photo: [] } } as unknown as SentContent,
  video: { video: VIDEO },
  audio: { audio: { ...FILE, duration: 1 } },
  voice: { voice: { ...FILE, duration: 1 } },
  document: { document: FILE },
  paid_media: { paid_media: { star_count: 1, paid_media: [] } },
  video_note: { video_note: NOTE },
  sticker: {
    sticker: { ...FILE, type: 'regular', width: 1, height: 1, is_animated: true, is_video: false },
  },
  dice: { dice: { emoji: '🎲', value: 3 } },
  contact: { contact: { phone_number: '1', first_name: 'Friend' } },
  location: { location: { latitude: 0, longitude: 0 } },
  poll: { poll: { id: '1', question: 'Q', options: [] } } as unknown as SentContent,
  game: { game: { title: 'G', description: 'D', photo: [] } } as unknown as SentContent,
  story: { story: { id: 1, chat: PLAIN.chat } } as unknown as SentContent,
  checklist: { checklist: { title: 'C', tasks: [] } },
  rich_message: { rich_message: { blocks: [] } } as unknown as SentContent,
  invoice: { invoice: { title: 'I', description: 'D', start_parameter: '', ...MONEY } },
  giveaway: { giveaway: { chats: [], winners_selection_date: 0, winner_count: 1 } },
  pinned_message: { pinned_message: PLAIN } as unknown as SentContent,
  message_auto_delete_timer_changed: {
    message_auto_delete_timer_changed: { message_auto_delete_time: 86_400 },
  },
  write_access_allowed: { write_access_allowed: { from_request: true } },
  connected_website: { connected_website: 'example.org' },
  users_shared: { users_shared: { request_id: 1, users: [] } },
  chat_shared: { chat_shared: { request_id: 1, chat_id: -5 } },
  web_app_data: { web_app_data: { data: '/panic', button_text: 'B' } },
  passport_data: { passport_data: { data: [], credentials: {} } } as unknown as SentContent,
  successful_payment: { successful_payment: { invoice_payload: 'p', ...MONEY } } as unknown as SentContent,
  refunded_payment: { refunded_payment: { invoice_payload: 'p', ...MONEY } } as unknown as SentContent,
  gift: { gift: { gift: { id: '1' } } } as unknown as SentContent,
  unique_gift: { unique_gift: { gift: { base_name: 'G' } } } as unknown as SentContent,
  gift_upgrade_sent: { gift_upgrade_sent: { gift: { id: '1' } } } as unknown as SentContent,
  checklist_tasks_done: { checklist_tasks_done: { marked_as_done_task_ids: [1] } },
  checklist_tasks_added: { checklist_tasks_added: { tasks: [] } },
  poll_option_added: { poll_option_added: {} } as unknown as SentContent,
  poll_option_deleted: { poll_option_deleted: {} } as unknown as SentContent,
  proximity_alert_triggered: { proximity_alert_triggered: { traveler: USER, watcher: USER, distance: 1 } },
  chat_background_set: { chat_background_set: { type: {} } } as unknown as SentContent,
  boost_added: { boost_added: { boost_count: 1 } },
  new_chat_members: { new_chat_members: [USER] },
  left_chat_member: { left_chat_member: USER },
  new_chat_title: { new_chat_title: '/panic' },
  new_chat_photo: { new_chat_photo: [] },
  delete_chat_photo: { delete_chat_photo: true },
  group_chat_created: { group_chat_created: true },
  supergroup_chat_created: { supergroup_chat_created: true },
  channel_chat_created: { channel_chat_created: true },
  migrate_to_chat_id: { migrate_to_chat_id: -5 },
  migrate_from_chat_id: { migrate_from_chat_id: -5 },
  chat_owner_left: { chat_owner_left: {} } as unknown as SentContent,
  chat_owner_changed: { chat_owner_changed: { new_owner: USER } },
  managed_bot_created: { managed_bot_created: { bot: USER } },
  community_chat_added: { community_chat_added: {} } as unknown as SentContent,
  community_chat_joined: { community_chat_joined: {} } as unknown as SentContent,
  community_chat_removed: { community_chat_removed: {} } as unknown as SentContent,
  forum_topic_created: { forum_topic_created: { name: '/panic', icon_color: 0 } } as unknown as SentContent,
  forum_topic_edited: { forum_topic_edited: { name: 'N' } },
  forum_topic_closed: { forum_topic_closed: {} },
  forum_topic_reopened: { forum_topic_reopened: {} },
  general_forum_topic_hidden: { general_forum_topic_hidden: {} },
  general_forum_topic_unhidden: { general_forum_topic_unhidden: {} },
  giveaway_created: { giveaway_created: {} },
  giveaway_winners: {
    giveaway_winners: {
      chat: PLAIN.chat,
      giveaway_message_id: 1,
      winners_selection_date: 0,
      winner_count: 1,
      winners: [],
    },
  } as unknown as SentContent,
  giveaway_completed: { giveaway_completed: { winner_count: 1 } },
  paid_message_price_changed: { paid_message_price_changed: { paid_message_star_count: 1 } },
  direct_message_price_changed: { direct_message_price_changed: { are_direct_messages_enabled: true } },
  suggested_post_info: { suggested_post_info: { state: 'pending', price: PRICE } } as unknown as SentContent,
  suggested_post_approved: { suggested_post_approved: POST } as unknown as SentContent,
  suggested_post_approval_failed: {
    suggested_post_approval_failed: { ...POST, price: PRICE },
  } as unknown as SentContent,
  suggested_post_declined: { suggested_post_declined: POST } as unknown as SentContent,
  suggested_post_paid: { suggested_post_paid: { ...POST, star_amount: STARS } } as unknown as SentContent,
  suggested_post_refunded: { suggested_post_refunded: POST } as unknown as SentContent,
  video_chat_scheduled: { video_chat_scheduled: { start_date: 0 } },
  video_chat_started: { video_chat_started: {} },
  video_chat_ended: { video_chat_ended: { duration: 1 } },
  video_chat_participants_invited: { video_chat_participants_invited: { users: [USER] } },
};

/** What makes a message borrowed, a way each. */
export const BORROWED_WAYS: Readonly<Record<string, SentContent>> = {
  forwarded: { forward_origin: { type: 'user', sender_user: USER, date: 0 } },
  'forwarded by a hidden person': {
    forward_origin: { type: 'hidden_user', sender_user_name: 'Somebody', date: 0 },
  },
  'forwarded by itself': { is_automatic_forward: true },
  quoted: { quote: { text: 'what was said', position: 0, is_manual: true } },
  'a reply to another chat': {
    external_reply: { origin: { type: 'hidden_user', sender_user_name: 'Somebody', date: 0 } },
  },
  'sent through a bot': { via_bot: { id: 9_001, is_bot: true, first_name: 'Other' } },
  'sent by a business bot': { sender_business_bot: { id: 9_001, is_bot: true, first_name: 'Other' } },
};
