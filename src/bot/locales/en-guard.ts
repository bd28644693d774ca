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
  'err.frozen': 'Everything is frozen. Unlock it under Security, with your PIN.',
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
  'security.unlocking': '<b>Frozen.</b> It unlocks at {at}.',
  'security.panic': '/panic freezes everything in one tap.',
  'security.pin_new': 'Type a new PIN of 6 digits. Your message is deleted at once.',
  'security.pin_again': 'Type the same PIN once more.',
  'security.pin_differs': 'The two were not the same. Type a new PIN of 6 digits.',
  'security.pin_old': 'Type your present PIN. Your message is deleted at once.',
  'security.pin_done':
    '<b>The PIN is set.</b> Keep it to yourself: nobody from this service asks for it, and it cannot be read back.',
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
    '<b>Open the page, scan, come back.</b>\nThe link works once and for {minutes} minutes. Whoever opens it sees the secret, so open it yourself.\n\nWrite down the recovery codes there: the page shows them once. Then type the six digits that your authenticator shows.',
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
    '<b>Frozen.</b> Nothing is signed for you any more. What was already sent cannot be recalled.\nWithdrawals stopped: {count}.\nUnlock under Security with your PIN.',

  'secret.expired':
    'That took too long, so I forgot the question. I deleted your message. Please begin again.',
  'secret.unasked':
    'I deleted your message, for it looked like a PIN, and nothing asks for one now. If you were in the middle of something, please begin again.',
  'secret.key_seen':
    'That looked like a private key, so I deleted your message. Others may have seen it: if it was one, move what it holds to a new wallet.',
  'secret.text_only': 'Please answer with text.',
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

  'withdraw.cap': 'Of today’s cap {left} of {cap} are left',
  'withdraw.new_address': 'New address: nothing leaves before {at}.',
  'withdraw.ask_pin': 'Type your PIN: it sends this at once. Your message is deleted.',
  'withdraw.ask_pin_later': 'Type your PIN. Your message is deleted at once.',
  'withdraw.pin_first': 'Set a PIN first: every withdrawal needs it.',
  'withdraw.saved_hint': 'Or choose a saved one:',
  'result.waiting':
    '<b>Waiting until {at}</b>: {address} is new.\nThen {amount} leaves by itself.\nIf this was not you, block it.',

  'backup.choose_passphrase':
    '<b>Backup of {wallet}</b>\nType a passphrase of {min} or more characters. Whoever has the file and the passphrase has the wallet. Your message is deleted at once.',
  'backup.again': 'Type the same passphrase once more.',
  'backup.differs': 'The two were not the same. Type a passphrase of {min} or more characters.',
  'backup.pin': '<b>Backup of {wallet}</b>\nType your PIN. Your message is deleted at once.',
  'backup.caption':
    'Backup of {wallet}. Without the passphrase it opens for nobody, us included. How to open it without this service: docs/backup-format.md in the source.',
  'backup.done': 'The file is above. Keep it and the passphrase in two places.',
  'backup.import_key':
    '<b>Import a wallet</b>\nSend its secret key as text (base58 or a JSON array), or a backup file as a document. Your message is deleted at once.\n\nA key that was in a chat may have been seen: better open a new wallet and move the money.',
  'backup.import_passphrase': 'Type the passphrase of the file. Your message is deleted at once.',
  'backup.imported': '<b>{wallet}</b> is here now.\n{address}',
} as const;
