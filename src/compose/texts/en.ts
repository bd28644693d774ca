import { enSwitches } from '../../engine/switches/texts.en.ts';
import { enAlerts } from '../../modules/alerts/texts.en.ts';
import { enAutoBuy } from '../../modules/auto-buy/texts.en.ts';
import { enConvert } from '../../modules/convert/texts.en.ts';
import { enCopying } from '../../modules/copying/texts.en.ts';
import { enFollows } from '../../modules/follows/texts.en.ts';
import { enGames } from '../../modules/games/texts.en.ts';
import { enGroups } from '../../modules/groups/texts.en.ts';
import { enSpending } from '../../modules/guard/spending-texts.en.ts';
import { enGuard } from '../../modules/guard/texts.en.ts';
import { enKeys } from '../../modules/keys/texts.en.ts';
import { enLaunches } from '../../modules/launches/texts.en.ts';
import { enChart } from '../../modules/market/texts.en.ts';
import { enMint } from '../../modules/mint/powers-texts.en.ts';
import { enCreate } from '../../modules/mint/texts.en.ts';
import { enOrders } from '../../modules/orders/texts.en.ts';
import { enPaper } from '../../modules/paper/texts.en.ts';
import { enPersonalKeys } from '../../modules/personal-keys/texts.en.ts';
import { enPoints } from '../../modules/points/texts.en.ts';
import { enPositions } from '../../modules/positions/texts.en.ts';
import { enReferral } from '../../modules/referrals/texts.en.ts';
import { enHelp } from '../../modules/settings/texts.en.ts';
import { enSearch } from '../../modules/tokens/texts.en.ts';
import { enTrade } from '../../modules/trading/texts.en.ts';
import { enHome } from '../../modules/wallets/texts.en.ts';
import { enErrors } from './en-errors.ts';

/**
 * The reference catalogue. `{name}` is a placeholder whose value is escaped when it is put in. Texts may hold Telegram's
 * HTML, except those under `btn.`, `toast.`, `cmd.`, `ask.` and `group.`, which Telegram shows as they are.
 */
export const en = {
  ...enErrors,
  ...enTrade,
  ...enGuard,
  ...enHelp,
  ...enHome,
  ...enChart,
  ...enSearch,
  ...enPaper,
  ...enSwitches,
  ...enOrders,
  ...enAlerts,
  ...enFollows,
  ...enGroups,
  ...enLaunches,
  ...enCopying,
  ...enPersonalKeys,
  ...enAutoBuy,
  ...enSpending,
  ...enMint,
  ...enCreate,
  ...enPoints,
  ...enPositions,
  ...enGames,
  ...enConvert,
  ...enKeys,
  ...enReferral,

  // Buttons: verbs where they do something.
  'btn.create_wallet': 'Create Deposit Wallet',
  'page.of': ' · page {page} of {pages}',
  'btn.home': 'Home',
  'btn.back': 'Back',
  'btn.cancel': 'Cancel',
  'btn.refresh': 'Refresh',
  'btn.help': 'Help',
  'btn.language': 'Language',
  'btn.trade': 'Trade',
  'btn.withdraw_held': 'Withdraw',
  'btn.wallets_plain': 'Wallets',
  'btn.wallets': 'Wallets ({count}/{max})',
  'btn.deposit': 'Deposit',
  'btn.withdraw_sol': 'Withdraw SOL',
  'btn.withdraw_token': 'Withdraw token',
  'btn.referral': 'Referral',
  'btn.settings': 'Settings',
  'btn.switch': 'Use this',
  'btn.rename': 'Rename',
  'btn.delete': 'Delete',
  'btn.delete_yes': 'Delete wallet',
  'btn.tokens': 'Tokens held',
  'btn.deleted': 'Deleted ({count})',
  'btn.restore': 'Restore {name}',
  'btn.copy_address': 'Copy address',
  'btn.copy_mint': 'Copy its address',
  'btn.copy_link': 'Copy link',
  'btn.check_balance': 'Check balance',
  'btn.faucet': 'Get {sol} play SOL',
  'btn.qr': 'QR code',
  'btn.share': 'Share',
  'btn.max': 'Max',
  'btn.slip': 'Slip {percent}',
  'btn.slip_auto': 'Slip auto',
  'btn.safety': 'Safety',
  'btn.other_percent': 'X%',
  'btn.buy_blocked': 'Buy all the same…',
  'btn.back_to': 'Back to {symbol}',
  'btn.sell_x': 'Sell X %',
  'btn.priority': 'Priority {tier}',
  'btn.confirm_buy': 'Confirm buy',
  'btn.confirm_sell': 'Confirm sell',
  'btn.sure_buy': 'Buy anyway',
  'btn.sure_sell': 'Sell anyway',
  'btn.new_quote': 'Get a new quote',
  'btn.raise_slippage': 'Raise slippage',
  'btn.allow_slippage': 'Allow {percent}',
  'result.allow': 'With {percent} it would have passed. You may get that much less.',
  'btn.receipt': 'Receipt',
  'btn.explorer': 'Explorer',
  'btn.buy_sol': 'Buy {sol} SOL',
  'btn.buy_again': 'Buy again',
  'btn.sell_percent': 'Sell {percent}',
  'btn.trade_card': 'Card',
  'btn.exits': 'Exits…',
  'btn.check_now': 'Check now',
  'btn.show': 'Show {receipt}',
  'btn.open_chat': 'Open the chat with me',
  'btn.buy_presets': 'Buy presets',
  'btn.sell_presets': 'Sell presets',
  'btn.confirm_on': 'Confirm ✓',
  'btn.confirm_off': 'Confirm: off',
  'btn.slippage': 'Slippage',
  'btn.slippage_auto': 'Auto',
  'btn.slippage_buy': 'Buying: {percent}',
  'btn.slippage_sell': 'Selling: {percent}',
  'btn.back_to_slippage': 'Back to the slippage',
  'btn.presets': 'Presets',
  'btn.priority_plain': 'Priority',
  'btn.reset': 'Reset',
  'btn.follow_telegram': 'As in Telegram',
  'btn.another_token': 'Another token',

  // Toasts: at most 200 characters.
  'toast.stale': 'This button is old. Here is a fresh screen.',
  'toast.slow_down': 'A bit too fast. Please wait two seconds.',
  'toast.stopped': 'Stopped.',
  'toast.stopped_forgotten': 'Stopped. Its address is forgotten: a withdrawal to it waits again.',
  'toast.wallet_ready': 'Your deposit wallet is ready.',
  'toast.wallet_exists': 'You already have it.',
  'toast.switched': '{name} is active now.',
  'toast.restored': '{name} is back.',
  'toast.saved': 'Saved.',
  'toast.faucet': '{sol} play SOL are there.',
  'toast.faucet_failed': 'The faucet did not answer. Please try again.',
  'toast.running': 'Already running.',

  'group.private_only': 'I only work in a private chat.',

  // The command menu.
  'cmd.start': 'Start the bot',
  'cmd.home': 'Main menu',
  'cmd.referral': 'Invite people and earn SOL',
  'cmd.trade': 'Buy or sell a token',
  'cmd.deposit': 'Your deposit address',
  'cmd.withdraw_sol': 'Withdraw SOL',
  'cmd.withdraw_spl': 'Withdraw a token',
  'cmd.create_token': 'Create a token',
  'cmd.setting': 'Settings',
  'cmd.cancel': 'Stop the present step',
  'cmd.help': 'Tutorials and help',
  'profile.short': 'Trade Solana tokens from a deposit wallet kept by this service.',
  'profile.description':
    'A self-hosted Solana trading desk: buy and sell tokens from a deposit wallet kept by this service. On-chain actions cannot be undone. Staff never write first and never ask for a key.',

  'start.welcome':
    'Welcome to <b>{bot}</b>: buy, sell and launch Solana tokens right here in the chat, for {fee} of each trade plus the network’s fee; the wallet and deposits cost nothing.\n\n• Your deposit wallet is kept by this service.\n• Actions are on-chain and cannot be undone.\n• Deposit wallets are not backed up for you.\n• Staff never write first and never ask for a key or PIN.',
  'start.inviter': 'Inviter: {code} (attached).',
  'start.no_inviter': 'No inviter attached.',
  'start.created':
    '<b>Your deposit wallet is ready.</b>\n{address}\n\nSend SOL to it: trades and network fees are paid from here.',
  'locked.text':
    'One step first: create your deposit wallet. It takes a second and costs nothing.\n\nActions are on-chain and cannot be undone. This service does not back up deposit wallets.',

  'wallets.title': '<b>Wallets ({count}/{max})</b>',
  'wallets.row': '{mark} {name}{origin} {funds}',
  'wallets.imported': ' · imported',
  'wallets.imported_hint':
    'Imported: the person who gave you this key has it too. Deposits and payouts do not go here.',
  'wallets.confirm_waits': 'Confirmed: deposits and payouts may go here from {at}.',
  'wallets.payout_here': 'Payouts go here.',
  'wallets.payout_waits': 'Payouts go here from {at}.',
  'wallets.confirm_pin':
    '<b>Let {name} receive?</b>\nThe person who gave you this key has it too, and can take what arrives. It counts after {time}, and you get a notice with a button that stops it.\n\nType your PIN. Your message is deleted at once.',
  'wallets.confirm_pin_now':
    '<b>Let {name} receive?</b>\nThe person who gave you this key has it too, and can take what arrives.\n\nType your PIN. Your message is deleted at once.',
  'wallets.payout_pin':
    '<b>Payouts to {name}?</b>\n{address}\nIt counts after {time}, and you get a notice with a button that stops it.\n\nType your PIN. Your message is deleted at once.',
  'wallets.payout_pin_now':
    '<b>Payouts to {name}?</b>\n{address}\n\nType your PIN. Your message is deleted at once.',
  'btn.let_receive': 'Let it receive',
  'btn.payouts_here': 'Payouts here',
  'wallets.funds': '{sol}{usd} · {tokens}',
  'wallets.unknown': 'balance n/a',
  'wallets.detail': '<b>{name}</b>{active}{origin}\n{address}',
  'wallets.active': ' · active',
  'wallets.renamed': 'Renamed to <b>{name}</b>.',
  'wallets.ask_name': 'A new name for <b>{name}</b>, please: 1 to {max} characters.',
  'ask.wallet_name': 'New name',
  'wallets.delete_empty':
    'Delete <b>{name}</b>? It is empty. You can restore it until {until}, and after that only while it holds something.\n{address}',
  'wallets.delete_full':
    '<b>{name}</b> still holds {sol} and {tokens}.\n{address}\n\nBetter withdraw first. Deleted, it can be restored at any time while it holds something, and if it is empty until {until}. To delete it all the same, type its name: {typed}',
  'wallets.delete_mismatch': 'That is not its name. Type {typed} exactly, or /cancel.',
  'ask.delete_name': 'Type the name of the wallet',
  'wallets.deleted_title':
    '<b>Deleted wallets</b>\nOne that is empty can be restored for {days} days, one that holds something at any time.',
  'wallets.deleted_row': '{name} · {address} · {until}',
  'wallets.until': 'until {day}',
  'wallets.any_time': 'at any time',
  'wallets.delete_pin':
    '<b>Delete {name}</b>\nIt holds something, so this takes your PIN. Your message is deleted at once.',
  'wallets.deleted_none': 'There is no deleted wallet to restore.',
  'wallets.gone':
    '<b>{name}</b> is deleted. Under Wallets → Deleted you can restore it until {until}, and at any time while it holds something.',
  'tokens.title': '<b>Tokens in {name}</b> · {count}{page}',
  'tokens.row': '{number} {symbol} {amount} · {worth}',
  'tokens.none': 'No tokens here yet.',

  'deposit.caption':
    'Send SOL or Solana tokens only to <b>{name}</b>:\n{address}\nMinimum {minimum}. It pays network fees.\nThis service does not back up deposit wallets.',
  'deposit.instead':
    '{wanted} was imported: the person who gave you this key has it too. So deposits go to {name}.',
  'deposit.imported_only':
    '{name} was imported: the person who gave you this key has it too, so its address is not for deposits.\nCreate a wallet here: its key was never anywhere else.',
  'deposit.play': 'This is a local chain with play money: nothing here has value.',

  'referral.title': '<b>Referral</b> · code {code} (active since {day})',
  'referral.created': 'Your referral account is open.',
  'referral.rule':
    'You earn {percent} of the fees on trades, new tokens and launches of people who started through your link. Paid in SOL to {wallet}.',
  'referral.no_payout_wallet': 'a wallet that you create here',
  'referral.counts': 'Invited {invited} · active {active} · 30-day volume {volume}',
  'referral.sums': 'Earned {earned}{usd} · paid {paid} · on its way {pending}',
  'referral.payout': 'Paid as soon as your wallet can receive it.',
  'referral.last': 'Last payout {at}: {signature}',
  'referral.qr_caption': 'Your invite link\n{link}',
  'referral.share_text': 'Trade Solana tokens right in Telegram',

  'cancel.stopped': 'Stopped. Nothing was sent.',
  'cancel.nothing': 'Nothing to stop.',
  'cancel.stopped_but_open':
    'Stopped the question. {receipt} is already under way and cannot be recalled by this.',
  'cancel.open': 'Nothing to stop. {receipt} is already under way and cannot be recalled.',
  'cancel.withdrawn': 'Stopped {receipt} before anything was sent.',
  'cancel.withdrawn_forgotten':
    'Stopped {receipt} before anything was sent. Its address is forgotten: a withdrawal to it waits again.',

  'setting.title': '<b>Settings</b>',
  'setting.slip': 'Slip: buy {buy}, sell {sell}',
  'setting.priority': 'Priority {tier}, up to {sol}',
  'setting.rest': 'Confirm {confirm} · auto-buy {autoBuy} · {language}',
  'setting.is_on': 'on',
  'setting.is_off': 'off',
  'setting.presets_title': '<b>Presets</b>',
  'setting.presets': 'Buy {buy} SOL\nSell {sell}',
  'setting.exits': 'Exits after each buy: {exits}',
  'setting.exits_off': 'off',
  'setting.exits_note':
    'They are placed with the purchase, for what it brings: by hand, by auto-buy and by limit orders. Rounds have none. Several take-profits come from “As default” at the exits of a token.',
  'btn.exits_each': 'Exits',
  'btn.exits_none': 'Off',
  'slippage.title_buy': '<b>Slippage, buying</b> · {percent}',
  'slippage.title_sell': '<b>Slippage, selling</b> · {percent}',
  'slippage.is_auto': 'auto',
  'slippage.auto_at_most': 'auto, {percent} at most',
  'slippage.now': '{symbol} now: {percent}',
  'slippage.now_moves': '{symbol} now: {percent} (it moves {moves} in {seconds} s)',
  'slippage.lands': '9 of 10 trades here land in {seconds} s',
  'slippage.own': '{failed} of {tried} trades here failed with it',
  'slippage.auto_type': 'Tap one, or type the most for auto: 7',
  'slippage.bad_cap': 'Auto takes 1 % to 50 % at most. “{given}” is not one of them.',
  'slippage.what': 'It is how much less you may get',
  'slippage.wide': 'Above 15 % others take the difference',
  'slippage.type': 'Tap one, or type a percentage: 7.5',
  'setting.tier_economy': 'Economy',
  'setting.tier_normal': 'Normal',
  'setting.tier_fast': 'Fast',
  'setting.tier_turbo': 'Turbo',
  'setting.tier_title':
    '<b>Priority</b>\nA higher priority pays more so that the network takes your transaction sooner. The most it may add:',
  'setting.sending': 'Sending {way}',
  'setting.sending_title':
    '<b>Sending</b>\nNormal: our nodes, no tip\nProtected: hidden until it lands, for a tip\nFast: a paid sender as well, for a tip',
  'btn.sending': 'Sending',
  'sending.normal': 'Normal',
  'sending.protected': 'Protected',
  'sending.fast': 'Fast',
  'setting.tier_row': '{tier}: up to {sol}',
  'setting.language_title': '<b>Language</b>',
  'setting.ask_buy_presets': 'Four amounts in SOL for the buy buttons, with spaces between: 0.1 0.5 1 5',
  'setting.ask_sell_presets': 'Three percentages for the sell buttons, with spaces between: 25 50 100',
  'setting.bad_percent':
    '“{given}” is not a percentage above 0 and up to 100. Expected for example 5 or 0.5.',
  'setting.bad_share': '“{given}” is not a percentage above 0 and up to 100. Expected for example 25.',
  'setting.bad_count': 'Expected {expected} values with spaces between; {given} came.',
  'ask.buy_presets': '0.1 0.5 1 5',
  'ask.sell_presets': '25 50 100',
  'setting.reset_sure': 'Set everything back to the defaults? Wallets and money are not touched.',

  'form.text_only': 'Please answer with text.',
  'form.text_or_picture': 'Please answer with text or a picture.',
  'form.borrowed': '{why} Please type the answer yourself, or copy and paste it.',
  'form.link_behind':
    'There is a link to an address behind your words, and the two may differ. Please send the address alone, without a link.',
  'form.six_digits':
    'I deleted six digits, as a PIN looks like that. Type a price with its sign, like $123456.',
  'form.six_digits_sum':
    'I deleted six digits, as a PIN looks like that. Type such a sum with decimals, like 123456.0.',
  'form.kept': 'Your form is kept for 10 minutes.',
  'form.way_out': '/cancel stops this.',
  'form.too_long': 'That is longer than {max} characters. A short answer, please.',
  'form.outdated': 'The bot was updated in the meantime, so this dialogue was restarted. Please begin again.',

  'text.unknown': 'I did not understand that. Send me a token’s name, ticker or address, or choose below.',
  'text.not_words': 'I read words alone. Send me a token’s name, ticker or address, or choose below.',
  'borrowed.forwarded': 'That message was forwarded.',
  'borrowed.quoted': 'That message quotes another one.',
  'borrowed.by-bot': 'Another bot wrote that message.',
  'borrowed.command': '{why} A {command} that you did not write here does nothing by itself. {effect}',
  'borrowed.effect.panic': 'Tap below to freeze everything.',
  'borrowed.effect.cancel': 'Tap below to call off your newest order.',
  'btn.call_off': 'Call off',
  'text.unknown_command': 'There is no command {command}. What I can do:\n\n{list}',
  'text.unknown_command_near':
    'There is no command {command}. Did you mean {meant}?\n\nWhat I can do:\n{list}',
  'text.either': '{first} or {second}',

  'error.code': 'code {code} · id {id}',
  'error.unexpected':
    'That did not work because of a fault on our side. Please try again. If it stays, tell the operator the id.',
  'error.poison': 'That did not work three times in a row, so I gave it up. Please start again.',
  'error.timeout': 'That takes longer than usual. Look again in a moment before repeating it.',
} as const;
