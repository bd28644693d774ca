/** Protection of withdrawals: PIN, address book, cap, freeze, backups. */
export const enGuard = {
  'err.pin_required': 'Set a PIN first: nothing leaves without it.',
  'err.pin_shape': 'A PIN has exactly 6 digits, for example 4 0 9 2 7 1 written together.',
  'err.pin_code':
    'Your proof is the PIN and the six digits of your authenticator, for example 409271 123456. A recovery code may stand in place of the digits. I need both in one message.',
  'err.factors_wrong': 'Wrong PIN or code, or a code that was used already. Tries left: {left}.',
  'err.pin_weak': 'That PIN is among the first anybody would try. Please choose another one.',
  'err.code_wrong': 'Wrong code, or one that was used already. Tries left: {left}.',
  'err.pin_wrong': 'Wrong PIN. Tries left: {left}.',
  'err.pin_locked': 'Too many wrong PINs. You can try again after {until}.',
  'err.frozen': 'Everything is frozen. Unlock it under Security.',
  'err.frozen_until': 'Everything is frozen. It unlocks at {until}.',
  'err.address_gone': 'That address is no longer in the address book of this wallet. Nothing was sent.',
  'err.address_not_ready': 'That address can be used after {until}. Nothing was sent.',
  'err.address_book_full': 'A wallet keeps {max} addresses at most. Remove one first.',
  'err.daily_cap':
    'That is {needed}, and {available} of your {cap} per 24 hours are left. A higher cap can be set under Security.',
  'err.unpriced':
    'No exchange says what that token is worth, so it counts as more than your cap. With an authenticator, added under Security, you can send it all the same.',
  'err.daily_count':
    'Tokens without a price can be withdrawn {max} times in 24 hours. Please wait, or sell the token first.',
  'err.act_limit': 'That is possible {max} times in {time}. The next time is after {until}.',
  'err.key_unreadable':
    'That is no Solana private key. Expected base58 text, a JSON array of 64 numbers, or a backup file.',
  'err.wallet_known': 'This service keeps that wallet already.',
  'err.backup_format': 'That is not a backup file of a kind I can read.',
  'err.backup_passphrase': 'The passphrase does not open this file, or the file was changed.',
  'err.passphrase': 'A passphrase needs {min} to {max} characters.',

  'btn.security': 'Security',
  'btn.set_pin': 'Set a PIN',
  'btn.change_pin': 'Change PIN',
  'btn.address_book': 'Address book',
  'btn.daily_cap': 'Daily cap',
  'btn.freeze': 'Freeze everything',
  'btn.unfreeze': 'Unlock',
  'btn.block_freeze': 'Block and freeze',
  'btn.cancel_withdrawal': 'Cancel withdrawal',
  'btn.add_address': 'Add address',
  'btn.remove_address': 'Remove {name}',
  'btn.back_up': 'Back up',
  'btn.import': 'Import wallet',

  'btn.stop_changes': 'That was not me',
  'guarded.pin_set': '<b>A PIN was set</b> for this account.',
  'guarded.pin_change': '<b>The PIN was changed.</b>',
  'guarded.factor_add': '<b>An authenticator is being added.</b>',
  'guarded.factor_codes': '<b>New recovery codes were asked for.</b>',
  'guarded.factor_end': '<b>The authenticator is being removed.</b> A right code before then calls it off.',
  'guarded.factor_end_operator':
    '<b>The operator was asked to end your authenticator.</b> A right code before then calls it off.',
  'guarded.freeze_end_operator': '<b>The operator ended the freeze.</b> Money can move again.',
  'guarded.cap_raise': '<b>A higher cap was asked for.</b>',
  'guarded.freeze_end': '<b>The end of the freeze was asked for.</b>',
  'guarded.notice_mail': '<b>The mail for notices is being changed.</b>',
  'guarded.counts_at': 'It counts from {at}.',
  'guarded.stop':
    'If that was not you, stop it: everything is frozen at once, and what has not taken effect is taken back.',
  'setting.slippage_pin': 'A slippage above 15 % lets a trade bring much less. Type your PIN to allow it.',
  'autobuy.pin': 'Auto-buy spends without asking. Type your PIN to allow it.',
  'factor.ends': 'The authenticator is off at {at}. A right code before then calls it off.',

  'toast.frozen': 'Frozen.',
  'toast.removed': 'Removed.',
  'toast.removed_stopped': 'Removed. Withdrawals to it that waited are stopped: {count}.',

  'security.title': '<b>Security</b>',
  'security.pin_set': 'PIN: set',
  'security.pin_missing': 'PIN: not set yet. Withdrawals and backups need one.',
  'security.cap': 'Daily cap {cap} · left now {left}',
  'security.cap_next': 'A cap of {cap} takes effect at {at}.',
  'security.delay': 'New addresses, a higher cap and unlocking wait {time}.',
  'security.delay_none': 'New addresses, a higher cap and unlocking take effect at once here.',
  'security.frozen': '<b>Frozen.</b> Nothing is signed for you. Unlocking needs your PIN.',
  'security.frozen_no_pin':
    '<b>Frozen.</b> Nothing is signed for you. Your account had no PIN that was old enough. Unlocking needs no PIN and waits {time}. The operator can unlock you sooner.',
  'security.unlocking': '<b>Frozen.</b> It unlocks at {at}. If you did not ask for that, send /panic.',
  'btn.notice_mail': 'Notice mail',
  'btn.notice_mail_set': 'Set a mail address',
  'btn.notice_mail_change': 'Change the address',
  'btn.notice_mail_remove': 'Remove the address',
  'security.notice_mail': 'Notice mail: {mail}',
  'security.notice_mail_fails': '⚠️ The last mail to it did not arrive. Set an address that takes mail.',
  'security.notice_mail_next': 'Notices go to {mail} from {at} on.',
  'security.notice_mail_end': 'Notices go to no mail from {at} on.',
  'notice_mail.title': '<b>Notice mail</b>',
  'notice_mail.none': 'No address is set.',
  'notice_mail.what':
    'Each notice that you can stop goes there, too, with a link to a page with one button: Stop. A thief of this chat cannot take it away from you within a day.',
  'notice_mail.no_server': 'The operator of this service has not set up mail, so no address can be set.',
  'notice_mail.ask': 'Type the mail address for notices, for example you@example.org.',
  'notice_mail.pin': 'Notices go to {mail}. Type your PIN. Your message is deleted at once.',
  'notice_mail.remove_pin': 'Type your PIN to remove the notice mail. Your message is deleted at once.',
  'notice_mail.code': 'A code was sent to {mail}. Type it here within {minutes} minutes.',
  'notice_mail.code_wrong':
    'That is not the code for {mail}, or it is older than {minutes} minutes. Tries left this hour: {left}.',
  'notice_mail.done': 'Notices go to {mail} from now on.',
  'notice_mail.waits': 'Notices go to {mail} from {at} on. Until then you can stop the change.',
  'notice_mail.removed': 'Notices go to no mail any more.',
  'notice_mail.removal_waits': 'Notices go to no mail from {at} on. Until then you can stop the change.',
  'notice_mail.err_shape':
    'That is no mail address that can be used. Expected is one address like you@example.org, in plain letters without accents.',
  'notice_mail.err_same': 'Notices go to this address already.',
  'notice_mail.err_no-server': 'The operator of this service has not set up mail, so no code can be sent.',
  'mail.hello': 'Hello,',
  'mail.code_subject': 'Your code for notices of Tradepost',
  'mail.code': 'A person, most likely you, wants notices of Tradepost at this address. This is the code:',
  'mail.code_where': 'Type it in the chat within {minutes} minutes. It works nowhere else, and once.',
  'mail.code_not_you': 'Not you? Do nothing: without the code nothing changes.',
  'mail.stop_subject': 'Tradepost: you can stop this',
  'mail.stop_page': 'Not you? Open this page and press the button there:',
  'mail.stop_if_you': 'If it was you, do nothing. Opening the page changes nothing.',
  'mail.stop_until': 'The link works until {at}, and once. No PIN is asked.',
  'mail.export_asked':
    'A key file of the wallet {wallet} ({address}) was asked for. From {at} on it can be taken, with the PIN. It opens everything in this wallet.',
  'mail.export_ready':
    'The key file of the wallet {wallet} ({address}) is ready. It can be taken until {at}, with the PIN. It opens everything in this wallet.',
  'mail.imported': 'The wallet {wallet} ({address}) was imported.',
  'mail.wallet-confirm-asked':
    'The imported wallet {wallet} ({address}) was confirmed. From {at} on deposits and payouts may go there.',
  'mail.payout-wallet-asked':
    'Payouts were directed to the wallet {wallet} ({address}). It counts from {at}.',
  'mail.withdrawal': 'A withdrawal to the new address {address} was confirmed. It leaves at {at} by itself.',
  'mail.way_changes': 'Stop freezes everything at once and takes back what has not taken effect.',
  'mail.way_freeze': 'Stop freezes everything at once.',
  'mail.way_export': 'Stop keeps the key here. No key file can be asked for within the next {time}.',
  'mail.way_export_now': 'Stop keeps the key here.',
  'mail.way_withdrawal': 'Stop calls this withdrawal off.',
  'mail.stop_button': 'Stop',
  'mail.page_open': 'Do you want to stop this?',
  'mail.page_stopped': 'Stopped',
  'mail.did_changes':
    'Everything is frozen, and what had not taken effect was taken back. Unlock under Security in the chat.',
  'mail.did_freeze': 'Everything is frozen. Unlock under Security in the chat.',
  'mail.did_export':
    'The key did not leave. If it was not you who asked, send /panic in the chat and change your PIN.',
  'mail.did_withdrawal': 'The withdrawal was called off. Nothing left.',
  'mail.page_over': 'Nothing left to stop',
  'mail.page_over_why':
    'This has taken effect, has ended, or was stopped already. The chat shows it under Security.',
  'mail.page_used': 'Stopped already',
  'mail.page_used_why': 'This link was used. If something is wrong again, send /panic in the chat.',
  'mail.page_gone': 'This link is unknown',
  'mail.page_gone_why':
    'It is not whole, or it is too old. The chat shows under Security what can be stopped.',
  'security.panic': '/panic freezes everything in one tap.',
  'security.pin_new': 'Type a new PIN of 6 digits. Your message is deleted at once.',
  'security.pin_again': 'Type the same PIN once more.',
  'security.pin_differs': 'The two were not the same. Type a new PIN of 6 digits.',
  'security.pin_old': 'Type your present PIN. Your message is deleted at once.',
  'security.pin_done':
    '<b>The PIN is set.</b> Keep it to yourself: no person from this service asks for it, and it cannot be read back.',
  'security.pin_changed':
    '<b>The PIN is changed.</b> Addresses wait anew, and withdrawals that waited were cancelled.',
  'security.ask_cap': 'Your daily cap in SOL, for example 2.5. Lowering counts at once, raising waits.',
  'security.cap_pin': 'A cap of {cap}: type your PIN. Your message is deleted at once.',
  'security.cap_done': 'Your daily cap is {cap}.',
  'security.cap_waits': 'Your daily cap becomes {cap} at {at}.',
  'security.unfreeze_pin': 'Type your PIN to unlock. Your message is deleted at once.',
  'security.unfrozen': '<b>Unlocked.</b>',
  'security.unfreeze_waits': 'Unlocking takes effect at {at}. /panic stops it.',
  'security.with_code':
    'Behind the PIN, a space and the six digits of your authenticator, or a recovery code.',
  'security.factor_on': 'Authenticator: on',
  'security.recovery_left': 'Recovery codes left: {count}',
  'security.factor_ends':
    '<b>The authenticator ends at {at}</b>: the operator was asked for it. If that was not you, use a code before then, or /panic.',

  'factor.begin':
    '<b>Add an authenticator</b>\nFrom then on withdrawals, backups and changes here need a code of it beside the PIN.\n\nType your PIN. Your message is deleted at once.',
  'factor.link':
    '<b>Open the page, scan, come back.</b>\nThe link works once and for {minutes} minutes. The person who opens it sees the secret, so open it yourself.\n\nWrite down the recovery codes there: the page shows them once. Then type the six digits that your authenticator shows.',
  'factor.renew':
    '<b>New recovery codes</b>\nTen codes for the day you lose the authenticator. They take the place of the ones you have.\n\nType your PIN and a code. Your message is deleted at once.',
  'factor.renew_link':
    '<b>Open the page, write the codes down, come back.</b>\nThe link works once and for {minutes} minutes. Open it yourself.\n\nThen type the six digits that your authenticator shows next: until then the former codes count.',
  'factor.renewed': '<b>The new recovery codes count.</b> The former ones do not any more.',
  'factor.code': 'Type the six digits that your authenticator shows. Your message is deleted at once.',
  'factor.done':
    '<b>The authenticator is on.</b>\nYour proof is now the PIN and a code in one message, like 409271 123456. If you lose the authenticator, type a recovery code in place of the six digits: each works once. Without those too, the operator can end it after a day.',
  'factor.end': '<b>Remove the authenticator</b>\nType your PIN and a code. Your message is deleted at once.',
  'factor.ended': 'The authenticator is removed. The PIN is enough again.',
  'factor.no_page':
    'An authenticator needs a page on a secure address, and this service has none. Ask its operator to set PUBLIC_URL.',
  'btn.add_factor': 'Add authenticator',
  'btn.change_factor': 'New authenticator',
  'btn.renew_codes': 'New recovery codes',
  'btn.remove_factor': 'Remove authenticator',
  'btn.open_page': 'Open the page',

  'ask.cap': 'SOL, like 2.5',

  'panic.done':
    '<b>Frozen.</b> Nothing is signed for you any more. What was already sent cannot be recalled.\nWithdrawals stopped: {count}.',
  'panic.unlock_pin': 'Unlock under Security with your PIN.',
  'panic.unlock_no_pin':
    'Your account had no PIN that was old enough. Unlock under Security without a PIN: it waits {time}. Each new /panic stops that wait. The operator can unlock you sooner.',

  'secret.expired':
    'That took too long, so I forgot the question. I deleted your message. Please begin again.',
  'secret.unasked':
    'I deleted your message, for it looked like a PIN, and nothing asks for one now. If you were in the middle of something, please begin again.',
  'secret.key_seen':
    'That looked like a private key, so I deleted your message. Others may have seen it: if it was one, move what it holds to a new wallet.',
  'secret.text_only':
    'That is no text, so I deleted it. My question is still open: type the answer, or tap Cancel.',
  'secret.borrowed':
    '{why} I deleted it. My question is still open: type the answer yourself, or tap Cancel.',
  'secret.delete_yourself': 'I could not delete your message. Please delete it yourself now.',

  'book.title': '<b>Address book of {wallet}</b>',
  'book.none': 'No addresses yet. The first withdrawal to an address adds it.',
  'book.row': '{name} · {address}\n    {state}',
  'book.usable': 'usable',
  'book.waits': 'usable after {at}',
  'book.ask_address': 'Which Solana address may {wallet} pay?',
  'book.ask_name': 'A name for it, 1 to {max} characters.',
  'book.pin': 'Add {name}\n{address}\n\nType your PIN. Your message is deleted at once.',
  'book.added': 'Added. For your safety it can be used after {at}.\nIf this was not you, block it.',
  'book.added_now': 'Added. It can be used at once.',
  'book.blocked':
    '<b>Blocked and frozen.</b> The address is removed, what waited for it is cancelled, and nothing is signed for you until you unlock under Security.',
  'ask.address_name': 'Name',

  'withdraw.cap': 'Daily limit: {left} of {cap} left',
  'withdraw.new_address': 'New address: nothing leaves before {at} UTC.',
  'withdraw.ask_pin': 'Type your PIN: it sends this at once. Your message is deleted.',
  'withdraw.ask_pin_later': 'Type your PIN. Your message is deleted at once.',
  'withdraw.pin_first': 'Set a PIN first: every withdrawal needs it.',
  'withdraw.saved_hint': 'Or choose a saved one:',
  'result.waiting':
    '<b>Waiting until {at}</b>: {address} is new.\nThen {amount} leaves by itself.\nIf this was not you, block it.',

  'notice.wallet_imported':
    'Wallet imported: <b>{wallet}</b>\n{address}\nThe person who gave you this key has it too: deposits and payouts do not go here.\nIf that was not you, tap Stop: it freezes everything.',
  'notice.wallet_renamed':
    '<b>The wallet {was} is called {wallet} now.</b>\n{address}\nIf that was not you, tap Stop: it freezes everything.',
  'notice.wallet_wallet-confirm-asked':
    '<b>The imported wallet {wallet} was confirmed.</b>\n{address}\nFrom {at} on deposits and payouts may go there.\nIf that was not you, stop it: everything is frozen at once, and the wallet does not receive.',
  'notice.wallet_payout-wallet-asked':
    '<b>Payouts were directed to {wallet}.</b>\n{address}\nIt counts from {at}.\nIf that was not you, stop it: everything is frozen at once, and payouts go where they went.',
  'btn.import_stop': '🛑 Stop: freeze',
  'backup.import_pin': 'Type your PIN to import a wallet. Your message is deleted at once.',
  'wallets.switch_pin':
    '<b>{name}</b> was imported: the person who gave you this key has it too.\nType your PIN to trade with it. Your message is deleted at once.',
  'backup.choose_passphrase':
    '<b>Backup of {wallet}</b>\nType a passphrase of {min} or more characters. The file and the passphrase together open the wallet. Your message is deleted at once.',
  'backup.differs': 'The two were not the same. Type a passphrase of {min} or more characters.',
  'backup.pin':
    '<b>Key file of {wallet}</b>\nThe file and its passphrase together open everything in this wallet, so it takes two steps: you ask for it now, and take it after a day. Until then one tap stops it.\n\nType your PIN. Your message is deleted at once.',
  'backup.pin_now':
    '<b>Key file of {wallet}</b>\nThe file and its passphrase together open everything in this wallet.\n\nType your PIN. Your message is deleted at once.',
  'backup.both':
    'Now in one message: your PIN, a space, and the same passphrase once more. Your message is deleted at once.',
  'backup.both_code':
    'Now in one message: your PIN, a space, the code of your authenticator, a space, and the same passphrase once more. Your message is deleted at once.',
  'backup.both_shape': 'That was not a PIN, a space and a passphrase.',
  'export.waits':
    '<b>Key file of {wallet}</b>\n{address}\nReady in {time}, at {at}.\nNot you? Stop it: no PIN is asked, and none can be asked for within a day.',
  'export.ready':
    '<b>Key file of {wallet}</b>\n{address}\nReady to be taken until {at}. It takes your PIN and a passphrase.\nNot you? Stop it: no PIN is asked.',
  'export.none': 'No key file is on its way.',
  'export.stopped':
    '<b>Stopped.</b> The key did not leave. No key file can be asked for before {at}.\nIf it was not you who asked, send /panic and change your PIN.',
  'export.stopped_now':
    '<b>Stopped.</b> The key did not leave.\nIf it was not you who asked, send /panic and change your PIN.',
  'export.too_late':
    'No key file is on its way, so there was nothing to stop. Under Security, “What was done” tells whether one left.',
  'export.security': 'A key file of {wallet} was asked for: ready in {time}',
  'export.security_ready': 'A key file of {wallet} can be taken now',
  'notice.export_asked':
    '<b>A key file of {wallet} was asked for.</b>\n{address}\nFrom {at} on it can be taken, with the PIN. The person who takes it has everything in this wallet.\nNot you? Stop it: no PIN is asked.',
  'notice.export_half':
    '<b>A key file of {wallet} is on its way.</b>\n{address}\nIt can be taken in {time}, from {at} on.\nNot you? Stop it: no PIN is asked.',
  'notice.export_ready':
    '<b>The key file of {wallet} is ready.</b>\n{address}\nIt can be taken until {at}, with the PIN.\nNot you? Stop it: no PIN is asked.',
  'notice.export_taken':
    '<b>The key of {wallet} left in a file.</b>\n{address}\nIf this was not you, move what the wallet holds to another one now.',
  'notice.export_stopped': '<b>The key file of {wallet} was stopped.</b>\n{address}\nThe key did not leave.',
  'notice.export_disowned':
    '<b>The key file of {wallet} was stopped.</b>\n{address}\nThe signer does not remember that you asked for it. The key did not leave. Ask again if you want it.',
  'btn.export_stop': 'Stop',
  'btn.export_stop_security': 'Stop the key file',
  'btn.export_take': 'Take the file',
  'err.export_asked': 'The key file is not ready yet. It can be taken from {until} on.',
  'err.export_open': 'A key file is on its way already. Take it or stop it first.',
  'err.export_stopped': 'A key file was stopped. Another one can be asked for after {until}.',
  'err.export_over':
    'This key file is over: it was taken or stopped, or it was not taken in time. Ask for another one.',
  'backup.caption':
    'Backup of {wallet}. Without the passphrase no person can open it, and we cannot either. How to open it without this service: docs/backup-format.md in the source.',
  'backup.done': 'The file is above. Keep it and the passphrase in two places.',
  'backup.import_key':
    '<b>Import a wallet</b>\nSend its secret key as text (base58 or a JSON array), or a backup file as a document. Your message is deleted at once.\n\nA key that was in a chat may have been seen: better open a new wallet and move the money.',
  'backup.import_passphrase': 'Type the passphrase of the file. Your message is deleted at once.',
  'backup.imported':
    '<b>{wallet}</b> is here now.\n{address}\nThe person who gave you this key has it too: it trades, and deposits and payouts do not go here.',
} as const;
