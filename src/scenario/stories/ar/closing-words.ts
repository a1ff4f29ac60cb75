import type { Words } from '../conversation.js'
import type { Circumstances } from '../letters/circumstances.js'

/** What customers say when their trouble is over, whatever it was. */
export const supportThanks: readonly Words<Circumstances>[] = [
  () => 'ممتاز، انتهى الأمر على خير. شكرًا على سرعة استجابتكم.',
  () => 'شكرًا لكم، هذا كل ما كنت بحاجة إليه.',
  () => 'جزاكم الله خيرًا على اهتمامكم، فقد كان واضحًا أن رسالتي قُرئت بعناية.',
  ({ company }) => `شكرًا جزيلًا. سأتعامل مع ${company} مرة أخرى بكل سرور.`,
]

/** How the agent takes leave of a customer whose trouble is over. */
export const supportFarewells: readonly Words<Circumstances>[] = [
  () => 'العفو، ونشكر لكم صبركم. إذا احتجتم إلى أي شيء آخر فيكفي الرد على هذه الرسالة.',
  () => 'سعدنا بخدمتكم. سنغلق الموضوع من جهتنا، وأي رد منكم يعيد فتحه.',
  ({ company }) => `شكرًا لإبلاغنا بذلك، مع تمنيات فريق ${company} لكم بأسبوع سعيد.`,
  () => 'يسعدنا ذلك. نحن في خدمتكم من الأحد إلى الخميس، من التاسعة صباحًا حتى الخامسة مساءً.',
  () => 'نشكركم على التأكيد، وقد سجّلنا في ملفكم أن الموضوع انتهى.',
]

/** How the agent ends an exchange in which nothing was wrong. */
export const plainFarewells: readonly Words<Circumstances>[] = [
  () => 'على الرحب والسعة. إذا طرأ أي تغيير فيكفي الرد على هذه الرسالة.',
  ({ company }) => `شكرًا لكم، مع أطيب الأمنيات من جميع العاملين في ${company}.`,
  () => 'أحطنا علمًا بذلك، وشكرًا. سنتواصل معكم إذا احتجنا إلى أي شيء آخر.',
  () => 'شكرًا على سرعة ردودكم، فقد سهّلت علينا الأمر كثيرًا.',
]
