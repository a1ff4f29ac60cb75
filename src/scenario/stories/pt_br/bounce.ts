import { type DeliveryFailure, deliveryReport, drawFailure } from '../facts/delivery-failure.js'
import { drawEmployer } from './facts/firms.js'
import { announcement } from './portuguese.js'

const MEANINGS: Readonly<Record<string, string>> = {
  '5.1.1': 'o endereço do destinatário não existe',
  '5.2.2': 'a caixa de correio do destinatário está cheia',
  '5.3.4': 'a mensagem é maior do que o servidor do destinatário aceita',
  '5.4.4': 'o domínio do destinatário não foi encontrado',
  '5.7.1': 'o servidor do destinatário recusou a mensagem',
}
const MAILBOXES = [
  'compras',
  'financeiro',
  'contato',
  'pedidos',
  'm.oliveira',
  'recepcao',
  'j.souza',
] as const

/** A mail server tells the agent that something it sent did not get through. */
export const bounce = announcement({
  name: 'bounce',
  category: 'bounces',
  weight: 2,
  colour: '#000000',
  html: 0,
  htmlOnly: 0,
  facts: (random, setting) => drawFailure(random, setting, drawEmployer(random).domain, MAILBOXES),
  from: (f) => ({ name: 'Mail Delivery System', address: `MAILER-DAEMON@${f.relay}` }),
  subject: [
    () => 'Mensagem não entregue',
    (f) => `Falha na entrega: ${f.recipient}`,
    () => 'Undelivered Mail Returned to Sender',
    () => 'Notificação de status de entrega (falha)',
  ],
  first: [
    (f) => [
      `Este é o sistema de e-mail de ${f.relay}.`,
      'Não foi possível entregar a sua mensagem a um dos destinatários. Não haverá novas tentativas.',
      `<${f.recipient}>: ${meaning(f)}. Resposta de ${f.server}:\n${f.reply} ${f.says}`,
      deliveryReport(f),
    ],
    (f) => [
      `A sua mensagem para ${f.recipient} não foi entregue.`,
      `O servidor ${f.server} recusou a mensagem em definitivo:\n    ${f.reply} <${f.recipient}>: ${f.says}`,
      'Confira o endereço ou fale com o destinatário de outra forma.',
      deliveryReport(f),
    ],
    (f) => [
      'A entrega falhou para os seguintes destinatários:',
      `    ${f.recipient}\n    Motivo: ${meaning(f)} (${f.status})`,
      `Recebida em: ${f.at}`,
      deliveryReport(f),
    ],
    (f) => [
      `This is the mail system at ${f.relay}.\nEsta mensagem foi gerada automaticamente; não responda.`,
      `Erro permanente na entrega para <${f.recipient}>: ${meaning(f)}.`,
      `----- Transcrição da sessão -----\n<<< ${f.reply} ${f.says}`,
      deliveryReport(f),
    ],
  ],
  next: [
    [
      (f) => [
        `Este é o sistema de e-mail de ${f.relay}.`,
        `Outra mensagem de ${f.agentAddress} para <${f.recipient}> também não foi entregue, pelo mesmo motivo: ${meaning(f)}.\n${f.reply} ${f.says}`,
      ],
      (f) => [
        `A sua segunda mensagem para ${f.recipient} não foi entregue.`,
        `Resposta de ${f.server}:\n${f.reply} ${f.says}`,
        'Convém remover este endereço da sua lista.',
      ],
    ],
  ],
  attachment: (f, index) =>
    index === 0 ? { fixture: 'error-log.txt', filename: `transcricao-${f.queue}.txt` } : undefined,
})

/** What the status says, in words. */
function meaning({ status }: DeliveryFailure): string {
  return MEANINGS[status] ?? 'houve um erro no servidor do destinatário'
}
