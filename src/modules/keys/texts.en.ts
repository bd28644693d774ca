/** Requests for API keys, as operators read them. */
export const enKeys = {
  'btn.key_grant': 'Grant as asked',
  'btn.key_other': 'Grant other limits',
  'btn.key_ask': 'Ask back',
  'btn.key_refuse': 'Refuse with a reason',
  'btn.key_show': 'Show {project}',
  'ask.key_rate': 'Requests per second, like 5',
  'ask.key_quota': 'Requests per day, like 10000, or 0',
  'ask.key_question': 'Your question',
  'ask.key_reason': 'Your reason',

  'keys.card':
    '<b>API key wanted: {project}</b>\n{email}\n\nSays {per_day} a day, peak {peak} per second, for {scopes}.\nThat gives {limits}.\n\n<blockquote>{use}</blockquote>',
  'keys.asked': 'Asked back: {question}',
  'keys.answer': 'The answer: {answer}',
  'keys.earlier': 'Earlier requests of this address: {list}.',
  'keys.status.unconfirmed': 'not confirmed',
  'keys.status.confirmed': 'waiting',
  'keys.status.granted': 'granted',
  'keys.status.claimed': 'granted, key made',
  'keys.status.refused': 'refused',
  'keys.status.bounced': 'mail bounced',
  'keys.limits': '{rate} per second, {burst} at once, {quota} a day',
  'keys.no_quota': 'without limit',
  'keys.none': 'No request for an API key waits.',
  'keys.waiting': 'Requests for API keys that wait: {count}.',
  'keys.granted': '<b>Granted: {project}</b>\n{limits}.\nThe mail goes to {email}.',
  'keys.refused': '<b>Refused: {project}</b>\nThe reason goes to {email}.',
  'keys.asked_done': 'The question about {project} goes to {email}. The answer comes here.',
  'keys.decided': 'Another operator was first. {project}: {status}.',
  'keys.gone': 'This request is not there any more.',
  'keys.ask_rate': 'How many requests per second for {project}? From 1 to {max}; twice as many at once.',
  'keys.ask_quota': 'How many requests per day? A whole number; 0 = no limit.',
  'keys.bad_number': 'Please send a whole number from {min} to {max}.',
  'keys.ask_question': 'What do you want to know about {project}? Your words go to {email} by mail.',
  'keys.ask_reason': 'Why is {project} refused? Your words go to {email} by mail.',
  'keys.bad_text': 'Please send 1 to {max} characters.',

  'notice.person_mail_failed':
    'A mail to {email}, a notice mail of a person, did not arrive ({template}, {status}): {reason}',
  'notice.key_mail_failed':
    'A mail to {email} about an API key did not arrive ({template}, {status}): {reason}',

  'err.not_operator': 'Only operators may do this.',
} as const;
