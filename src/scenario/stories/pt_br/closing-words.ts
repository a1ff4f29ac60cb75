import type { Words } from '../conversation.js'
import type { Circumstances } from '../letters/circumstances.js'
import { gendered } from '../letters/gendered.js'

/** What customers say when their trouble is over, whatever it was. */
export const supportThanks: readonly Words<Circumstances>[] = [
  (c) => `Ótimo, resolvido. Muito ${gendered(c, 'obrigada', 'obrigado')} pela agilidade!`,
  () => 'Perfeito, era só isso mesmo. Valeu!',
  (c) =>
    `${gendered(c, 'Obrigada', 'Obrigado')} por resolver. Dá para ver que alguém leu mesmo o que eu escrevi.`,
  ({ company }) => `Tudo certo por aqui. Com certeza vou comprar de novo com a ${company}.`,
]

/** How the agent takes leave of a customer whose trouble is over. */
export const supportFarewells: readonly Words<Circumstances>[] = [
  () =>
    'Nós é que agradecemos a paciência. Se precisar de mais alguma coisa, é só responder a esta mensagem.',
  () => 'Que bom que deu certo! Vou encerrar o atendimento por aqui; se você responder, ele é reaberto.',
  ({ company }) => `Agradecemos o retorno. Uma ótima semana para você, de toda a equipe ${company}.`,
  () => 'Ficamos felizes em ajudar. Nosso atendimento funciona de segunda a sexta, das 9h às 18h.',
  () => 'Agradecemos a confirmação. Já deixei registrado no seu cadastro que o caso foi resolvido.',
]

/** How the agent ends an exchange in which nothing was wrong. */
export const plainFarewells: readonly Words<Circumstances>[] = [
  () => 'Imagina! Se algo mudar, é só responder a esta mensagem.',
  ({ company }) => `Agradecemos o contato. Um abraço de toda a equipe ${company}.`,
  () => 'Anotado, agradecemos. Se precisarmos de mais alguma coisa, entramos em contato.',
  () => 'Agradecemos a rapidez nas respostas, facilitou bastante para nós.',
]
