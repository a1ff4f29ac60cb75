import type { Topic } from '../conversation.js'
import type { Circumstances } from '../letters/circumstances.js'

/** What people still write about once everything is settled, whatever it was. */
export const furtherTopics: readonly Topic<Circumstances>[] = [
  {
    question: [
      () => 'Acho que apaguei sem querer a última mensagem de vocês. Ainda preciso fazer alguma coisa?',
      () => 'Só para confirmar: vocês estão esperando algo de mim?',
    ],
    answer: [
      () => 'Não, não falta nada da sua parte. Do nosso lado está tudo resolvido.',
      () => 'Nada mesmo, não se preocupe. Se isso mudar, avisamos neste endereço.',
    ],
  },
  {
    question: [
      () => 'Outra coisa: vocês têm um telefone para uma próxima vez? Nem sempre consigo escrever.',
      () => 'Se isso acontecer de novo, consigo falar com alguém por telefone ou WhatsApp?',
    ],
    answer: [
      () =>
        'Por e-mail respondemos mais rápido, mas também ligamos: mande um número e um horário entre 9h e 18h.',
      () => [
        'Claro. Responda com o seu número e dois horários bons para você, e alguém da equipe liga.',
        'Para assuntos com número de pedido, o e-mail continua sendo o caminho mais rápido.',
      ],
    ],
  },
  {
    question: [
      () => 'Recebi uma pesquisa de satisfação sobre esta conversa. É de vocês mesmo?',
      () => 'Chegou ontem uma pesquisa com o nome de vocês. É verdadeira? Tenho receio de clicar em link.',
    ],
    answer: [
      () => 'É nossa, sim. São três perguntas, não pede dados pessoais e responder é opcional.',
      ({ firstName }) =>
        `Fez bem em perguntar, ${firstName}. A pesquisa é nossa, e nela nunca pedimos senha, CPF nem número de cartão.`,
    ],
  },
  {
    question: [
      () => 'Qual e-mail está no meu cadastro? Uso dois e não lembro qual informei.',
      () => 'Em qual dos meus e-mails está a minha conta? Parece que os dois recebem mensagens de vocês.',
    ],
    answer: [
      ({ address }) => `No seu cadastro consta ${address}, e é para lá que vão todas as nossas mensagens.`,
      ({ address }) => [
        `O único que temos é ${address}.`,
        'Se preferir outro, escreva para nós a partir do novo endereço que fazemos a troca.',
      ],
    ],
  },
  {
    question: [
      () => 'Vocês funcionam normalmente no feriado?',
      () => 'Pergunta rápida: alguém lê este e-mail no fim de semana?',
    ],
    answer: [
      () => 'Não abrimos aos domingos e feriados. O que chega nesses dias é respondido no próximo dia útil.',
      () => 'No sábado de manhã, sim; o resto fica para segunda. Nos feriados, não.',
    ],
  },
  {
    question: [
      () => 'Se eu tiver uma dúvida nova, escrevo para este endereço mesmo?',
      () => 'Da próxima vez, mando e-mail direto ou uso o formulário do site?',
    ],
    answer: [
      () =>
        'Este endereço serve para tudo. Uma mensagem nova, com outro assunto, nos ajuda a não misturar os casos.',
      () => 'Tanto faz, os dois chegam à mesma equipe. O e-mail tem a vantagem de você ficar com uma cópia.',
    ],
  },
  {
    question: [
      () => 'Talvez minha irmã escreva sobre o mesmo assunto, já que dividimos a conta.',
      () =>
        'Vou ficar duas semanas fora a partir de segunda. Se precisar, alguém da família responde por mim.',
    ],
    answer: [
      () => 'Está anotado, assim ninguém pergunta duas vezes.',
      () => 'Combinado. Só precisamos da sua própria confirmação para alterações no cadastro.',
    ],
  },
  {
    question: [
      () => 'Recomendei vocês no meu trabalho. Nem precisa responder, era só para saberem.',
      () => 'Aliás, deixei uma avaliação com quatro estrelas. A quinta vem quando a busca do site melhorar.',
    ],
    answer: [
      () => 'Que notícia boa! Agradecemos de verdade.',
      ({ firstName }) => `Muito gentil da sua parte, ${firstName}. Já repassei para toda a equipe.`,
    ],
  },
]
