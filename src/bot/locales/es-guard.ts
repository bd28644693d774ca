import type { Catalogue } from './words.ts';

/** Protección de los retiros: PIN, libreta, tope, congelar, copias. */
export const esGuard = {
  'err.pin_required': 'Primero pon un PIN: sin él no sale nada.',
  'err.pin_shape': 'Un PIN tiene exactamente 6 cifras, por ejemplo 4 0 9 2 7 1 todas juntas.',
  'err.pin_code':
    'Tu prueba es el PIN y las seis cifras de tu autenticador, por ejemplo 409271 123456. Un código de recuperación puede ocupar el lugar de las cifras. Necesito ambos en un mensaje.',
  'err.factors_wrong': 'PIN o código incorrecto, o un código ya usado. Intentos que quedan: {left}.',
  'err.pin_weak': 'Ese PIN es de los primeros que cualquiera probaría. Elige otro, por favor.',
  'err.code_wrong': 'Código incorrecto, o ya usado. Intentos que quedan: {left}.',
  'err.pin_wrong': 'PIN incorrecto. Intentos que quedan: {left}.',
  'err.pin_locked': 'Demasiados PIN incorrectos. Puedes probar de nuevo después de {until}.',
  'err.frozen': 'Todo está congelado. Desbloquéalo en Seguridad, con tu PIN.',
  'err.frozen_until': 'Todo está congelado. Se desbloquea a las {until}.',
  'err.address_gone': 'Esa dirección ya no está en la libreta de esta cartera. No se envió nada.',
  'err.address_not_ready': 'Esa dirección se puede usar después de {until}. No se envió nada.',
  'err.address_book_full': 'Una cartera guarda {max} direcciones como máximo. Quita una primero.',
  'err.daily_cap':
    'Son {needed}, y de tus {cap} por 24 horas quedan {available}. En Seguridad se puede subir el tope.',
  'err.unpriced':
    'Ningún mercado dice cuánto vale ese token, así que cuenta como más que tu tope. Con un autenticador, que se añade en Seguridad, puedes enviarlo de todos modos.',
  'err.daily_count':
    'Los tokens sin precio se pueden retirar {max} veces en 24 horas. Espera, o vende antes el token.',
  'err.key_unreadable':
    'Eso no es una clave privada de Solana. Se espera texto base58, una lista JSON de 64 números o un archivo de copia.',
  'err.wallet_known': 'Este servicio ya guarda esa cartera.',
  'err.backup_format': 'Eso no es un archivo de copia que yo sepa leer.',
  'err.backup_passphrase': 'La contraseña no abre este archivo, o el archivo fue cambiado.',
  'err.passphrase': 'La contraseña necesita de {min} a {max} caracteres.',

  'btn.security': 'Seguridad',
  'btn.set_pin': 'Poner un PIN',
  'btn.change_pin': 'Cambiar el PIN',
  'btn.address_book': 'Libreta',
  'btn.daily_cap': 'Tope diario',
  'btn.freeze': 'Congelar todo',
  'btn.unfreeze': 'Desbloquear',
  'btn.block_freeze': 'Bloquear y congelar',
  'btn.cancel_withdrawal': 'Cancelar el retiro',
  'btn.add_address': 'Añadir dirección',
  'btn.remove_address': 'Quitar {name}',
  'btn.back_up': 'Copia de seguridad',
  'btn.import': 'Importar cartera',

  'toast.frozen': 'Congelado.',
  'toast.removed': 'Quitada.',
  'toast.removed_stopped': 'Quitada. Retiros hacia ella que esperaban y quedan detenidos: {count}.',

  'security.title': '<b>Seguridad</b>',
  'security.pin_set': 'PIN: puesto',
  'security.pin_missing': 'PIN: aún no. Los retiros y las copias lo necesitan.',
  'security.cap': 'Tope diario {cap} · quedan {left}',
  'security.cap_next': 'Un tope de {cap} rige desde {at}.',
  'security.delay': 'Las direcciones nuevas, un tope más alto y desbloquear esperan {time}.',
  'security.delay_none': 'Las direcciones nuevas, un tope más alto y desbloquear valen aquí al momento.',
  'security.frozen': '<b>Congelado.</b> No se firma nada tuyo. Para desbloquear hace falta tu PIN.',
  'security.unlocking': '<b>Congelado.</b> Se desbloquea a las {at}.',
  'security.panic': '/panic lo congela todo con un toque.',
  'security.pin_new': 'Escribe un PIN nuevo de 6 cifras. Tu mensaje se borra al momento.',
  'security.pin_again': 'Escribe el mismo PIN otra vez.',
  'security.pin_differs': 'No eran iguales. Escribe un PIN nuevo de 6 cifras.',
  'security.pin_old': 'Escribe tu PIN actual. Tu mensaje se borra al momento.',
  'security.pin_done':
    '<b>El PIN está puesto.</b> No se lo digas a nadie: nadie de este servicio lo pide, y no se puede volver a leer.',
  'security.pin_changed':
    '<b>El PIN ha cambiado.</b> Las direcciones esperan de nuevo, y los retiros que esperaban se cancelaron.',
  'security.ask_cap':
    'Tu tope diario en SOL, por ejemplo 2.5. Bajarlo vale al momento; subirlo hace esperar.',
  'security.cap_pin': 'Un tope de {cap}: escribe tu PIN. Tu mensaje se borra al momento.',
  'security.cap_done': 'Tu tope diario es {cap}.',
  'security.cap_waits': 'Tu tope diario será {cap} desde {at}.',
  'security.unfreeze_pin': 'Escribe tu PIN para desbloquear. Tu mensaje se borra al momento.',
  'security.unfrozen': '<b>Desbloqueado.</b>',
  'security.unfreeze_waits': 'El desbloqueo vale desde {at}. /panic lo detiene.',
  'ask.cap': 'SOL, como 2.5',

  'panic.done':
    '<b>Congelado.</b> Ya no se firma nada tuyo. Lo que ya se envió no se puede recuperar.\nRetiros detenidos: {count}.\nDesbloquéalo en Seguridad con tu PIN.',

  'secret.expired':
    'Eso tardó demasiado y olvidé la pregunta. Borré tu mensaje. Empieza de nuevo, por favor.',
  'secret.unasked':
    'Borré tu mensaje porque parecía un PIN, y ahora nada lo pide. Si estabas en medio de algo, empieza de nuevo, por favor.',
  'secret.key_seen':
    'Eso parecía una clave privada, así que borré tu mensaje. Otros pueden haberla visto: si lo era, mueve lo que guarda a una cartera nueva.',
  'secret.text_only': 'Responde con texto, por favor.',
  'secret.delete_yourself': 'No pude borrar tu mensaje. Bórralo tú ahora, por favor.',

  'book.title': '<b>Libreta de {wallet}</b>',
  'book.none': 'Aún no hay direcciones. El primer retiro a una dirección la añade.',
  'book.row': '{name} · {address}\n    {state}',
  'book.usable': 'se puede usar',
  'book.waits': 'desde {at}',
  'book.ask_address': '¿A qué dirección de Solana puede pagar {wallet}?',
  'book.ask_name': 'Un nombre para ella, de 1 a {max} caracteres.',
  'book.pin': 'Añadir {name}\n{address}\n\nEscribe tu PIN. Tu mensaje se borra al momento.',
  'book.added': 'Añadida. Por tu seguridad se puede usar después de {at}.\nSi no fuiste tú, bloquéala.',
  'book.added_now': 'Añadida. Se puede usar ya.',
  'book.blocked':
    '<b>Bloqueada y congelado.</b> La dirección está quitada, lo que la esperaba está cancelado, y no se firma nada tuyo hasta que desbloquees en Seguridad.',
  'ask.address_name': 'Nombre',

  'withdraw.cap': 'Del tope de hoy quedan {left} de {cap}',
  'withdraw.new_address': 'Dirección nueva: no sale nada antes de {at}.',
  'withdraw.ask_pin': 'Escribe tu PIN: esto se envía al momento. Tu mensaje se borra.',
  'withdraw.ask_pin_later': 'Escribe tu PIN. Tu mensaje se borra al momento.',
  'withdraw.pin_first': 'Primero pon un PIN: cada retiro lo necesita.',
  'withdraw.saved_hint': 'O elige una guardada:',
  'result.waiting':
    '<b>Espera hasta {at}</b>: {address} es nueva.\nEntonces {amount} sale sin más.\nSi no fuiste tú, bloquéala.',

  'backup.choose_passphrase':
    '<b>Copia de {wallet}</b>\nEscribe una contraseña de {min} caracteres o más. Quien tenga el archivo y la contraseña tiene la cartera. Tu mensaje se borra al momento.',
  'backup.again': 'Escribe la misma contraseña otra vez.',
  'backup.differs': 'No eran iguales. Escribe una contraseña de {min} caracteres o más.',
  'backup.pin': '<b>Copia de {wallet}</b>\nEscribe tu PIN. Tu mensaje se borra al momento.',
  'backup.caption':
    'Copia de {wallet}. Sin la contraseña no la abre nadie, tampoco nosotros. Cómo abrirla sin este servicio: docs/backup-format.md en el código fuente.',
  'backup.done': 'El archivo está arriba. Guárdalo a él y a la contraseña en dos sitios.',
  'backup.import_key':
    '<b>Importar una cartera</b>\nEnvía su clave secreta como texto (base58 o lista JSON), o un archivo de copia como documento. Tu mensaje se borra al momento.\n\nUna clave que estuvo en un chat pudo ser vista: mejor abre una cartera nueva y mueve el dinero.',
  'backup.import_passphrase': 'Escribe la contraseña del archivo. Tu mensaje se borra al momento.',
  'backup.imported': '<b>{wallet}</b> ya está aquí.\n{address}',

  'security.with_code':
    'Detrás del PIN, un espacio y las seis cifras de tu autenticador, o un código de recuperación.',
  'security.factor_on': 'Autenticador: puesto',
  'security.recovery_left': 'Códigos de recuperación que quedan: {count}',
  'security.factor_ends':
    '<b>El autenticador termina a las {at}</b>: se le pidió al operador. Si no fuiste tú, usa un código antes de esa hora, o /panic.',
  'factor.begin':
    '<b>Añadir un autenticador</b>\nDesde entonces los retiros, las copias y los cambios de aquí necesitan un código suyo además del PIN.\n\nEscribe tu PIN. Tu mensaje se borra al momento.',
  'factor.link':
    '<b>Abre la página, escanea y vuelve.</b>\nEl enlace funciona una vez y durante {minutes} minutos. Quien lo abra ve el secreto, así que ábrelo tú.\n\nApunta allí los códigos de recuperación: la página los muestra una sola vez. Luego escribe las seis cifras que muestra tu autenticador.',
  'factor.renew':
    '<b>Códigos de recuperación nuevos</b>\nDiez códigos para el día en que pierdas el autenticador. Sustituyen a los que tienes.\n\nEscribe tu PIN y un código. Tu mensaje se borra al momento.',
  'factor.renew_link':
    '<b>Abre la página, apunta los códigos y vuelve.</b>\nEl enlace funciona una vez y durante {minutes} minutos. Ábrelo tú.\n\nLuego escribe las seis cifras siguientes que muestre tu autenticador: hasta entonces valen los códigos anteriores.',
  'factor.renewed': '<b>Valen los códigos de recuperación nuevos.</b> Los anteriores ya no.',
  'factor.code': 'Escribe las seis cifras que muestra tu autenticador. Tu mensaje se borra al momento.',
  'factor.done':
    '<b>El autenticador está puesto.</b>\nTu prueba es ahora el PIN y un código en un mensaje, como 409271 123456. Si pierdes el autenticador, escribe un código de recuperación en lugar de las seis cifras: cada uno vale una vez. Si tampoco los tienes, el operador puede terminarlo al cabo de un día.',
  'factor.end': '<b>Quitar el autenticador</b>\nEscribe tu PIN y un código. Tu mensaje se borra al momento.',
  'factor.ended': 'El autenticador está quitado. Vuelve a bastar el PIN.',
  'factor.no_page':
    'Un autenticador necesita una página en una dirección segura, y este servicio no tiene ninguna. Pide a su operador que ponga PUBLIC_URL.',
  'btn.add_factor': 'Añadir autenticador',
  'btn.change_factor': 'Autenticador nuevo',
  'btn.renew_codes': 'Códigos de recuperación nuevos',
  'btn.remove_factor': 'Quitar autenticador',
  'btn.open_page': 'Abrir la página',
} as const satisfies Catalogue;
