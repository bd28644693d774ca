import type { enKeys } from './texts.en.ts';

/** Solicitudes de claves de la API, como las leen los operadores. */
export const esKeys: Record<keyof typeof enKeys, string> = {
  'btn.key_grant': 'Conceder lo pedido',
  'btn.key_other': 'Conceder otros límites',
  'btn.key_ask': 'Preguntar',
  'btn.key_refuse': 'Rechazar con motivo',
  'btn.key_show': 'Ver {project}',
  'ask.key_rate': 'Solicitudes por segundo, como 5',
  'ask.key_quota': 'Solicitudes por día, como 10000, o 0',
  'ask.key_question': 'Tu pregunta',
  'ask.key_reason': 'Tu motivo',

  'keys.card':
    '<b>Piden una clave de la API: {project}</b>\n{email}\n\nDice {per_day} al día, máximo {peak} por segundo, para {scopes}.\nEso da {limits}.\n\n<blockquote>{use}</blockquote>',
  'keys.asked': 'Se preguntó: {question}',
  'keys.answer': 'La respuesta: {answer}',
  'keys.earlier': 'Solicitudes anteriores de esta dirección: {list}.',
  'keys.status.unconfirmed': 'sin confirmar',
  'keys.status.confirmed': 'en espera',
  'keys.status.granted': 'concedida',
  'keys.status.claimed': 'concedida, clave creada',
  'keys.status.refused': 'rechazada',
  'keys.status.bounced': 'correo devuelto',
  'keys.limits': '{rate} por segundo, {burst} a la vez, {quota} al día',
  'keys.no_quota': 'sin límite',
  'keys.none': 'No hay solicitudes de claves en espera.',
  'keys.waiting': 'Solicitudes de claves en espera: {count}.',
  'keys.granted': '<b>Concedida: {project}</b>\n{limits}.\nEl correo va a {email}.',
  'keys.refused': '<b>Rechazada: {project}</b>\nEl motivo va a {email}.',
  'keys.asked_done': 'La pregunta sobre {project} va a {email}. La respuesta llega aquí.',
  'keys.decided': 'Otra persona fue antes. {project}: {status}.',
  'keys.gone': 'Esta solicitud ya no existe.',
  'keys.ask_rate': '¿Cuántas solicitudes por segundo para {project}? De 1 a {max}; el doble a la vez.',
  'keys.ask_quota': '¿Cuántas solicitudes al día? Un número entero; 0 = sin límite.',
  'keys.bad_number': 'Envía un número entero de {min} a {max}, por favor.',
  'keys.ask_question': '¿Qué quieres saber de {project}? Tus palabras van por correo a {email}.',
  'keys.ask_reason': '¿Por qué se rechaza {project}? Tus palabras van por correo a {email}.',
  'keys.bad_text': 'Envía de 1 a {max} caracteres, por favor.',

  'notice.person_mail_failed':
    'Un correo a {email}, el correo de avisos de una persona, no llegó ({template}, {status}): {reason}',
  'notice.key_mail_failed':
    'Un correo a {email} sobre una clave de la API no llegó ({template}, {status}): {reason}',

  'err.not_operator': 'Solo los operadores pueden hacer esto.',
};
