import type { Random } from '../../../../world/random.js'

/** A made-up firm and the domain it writes from. */
export interface Firm {
  readonly name: string
  readonly domain: string
}

const EMPLOYERS: readonly Firm[] = [
  { name: 'شركة واحة السنديان للأغذية', domain: 'sindyan-foods.example' },
  { name: 'عيادات نسيم الشاطئ لطب الأسنان', domain: 'naseem-dental.example' },
  { name: 'مدارس ضفاف المعرفة الأهلية', domain: 'difaf-schools.example' },
  { name: 'شركة مسار الهلال للنقل', domain: 'masar-hilal.example' },
  { name: 'مكتب ظلال للاستشارات الهندسية', domain: 'thilal-eng.example' },
  { name: 'فندق سدرة الوادي', domain: 'sidra-wadi.example' },
  { name: 'مطبعة حبر وريشة', domain: 'hibr-reesha.example' },
  { name: 'شركة نبض الأفق للبرمجيات', domain: 'nabd-ofoq.example' },
  { name: 'مؤسسة خيمة الضيافة', domain: 'khaimat-diyafa.example' },
]

const SHOPS: readonly Firm[] = [
  { name: 'متجر دفتر وممحاة', domain: 'daftar-mimha.example' },
  { name: 'محمصة هيل وزعفران', domain: 'hail-zafaran.example' },
  { name: 'متجر رفوف المكتب', domain: 'rofoof-maktab.example' },
  { name: 'سوق البيت الصغير', domain: 'albait-alsagheer.example' },
  { name: 'متجر صناديق وأشرطة', domain: 'sanadeeq.example' },
  { name: 'Souq Lamma | سوق لمّة', domain: 'souqlamma.example' },
]

const ROLES = [
  'قسم المشتريات',
  'إدارة الخدمات العامة',
  'قسم المحاسبة',
  'إدارة الموارد البشرية',
  'قسم تقنية المعلومات',
  'مكتب المدير العام',
] as const

/** Draws the firm somebody works for. */
export function drawEmployer(random: Random): Firm {
  return random.pick(EMPLOYERS)
}

/** Draws a shop that writes to its customers. */
export function drawShop(random: Random): Firm {
  return random.pick(SHOPS)
}

/** Draws the department somebody works in, which needs no gender, e.g. `قسم المشتريات`. */
export function drawRole(random: Random): string {
  return random.pick(ROLES)
}
