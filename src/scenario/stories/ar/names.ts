/** Names with a usual way of writing them in plain letters, for addresses. */

const FAMILY = {
  العتيبي: 'alotaibi',
  الحربي: 'alharbi',
  القحطاني: 'alqahtani',
  الشمري: 'alshammari',
  المنصوري: 'almansoori',
  الهاشمي: 'alhashimi',
  حداد: 'haddad',
  خوري: 'khoury',
  نصار: 'nassar',
  'عبد الله': 'abdullah',
  الزعبي: 'alzoubi',
  السيد: 'elsayed',
  شاهين: 'shaheen',
  بركات: 'barakat',
  منصور: 'mansour',
  الخطيب: 'alkhatib',
  درويش: 'darwish',
  الفارسي: 'alfarsi',
  سليمان: 'suleiman',
  النجار: 'alnajjar',
  المصري: 'almasri',
  صالح: 'saleh',
  عثمان: 'othman',
  قاسم: 'qasim',
  الشامي: 'alshami',
  الكعبي: 'alkaabi',
  عوض: 'awad',
  الغامدي: 'alghamdi',
  حمدان: 'hamdan',
  البلوشي: 'albalushi',
} as const

const FEMALE = {
  فاطمة: 'fatima',
  مريم: 'maryam',
  سارة: 'sara',
  ليلى: 'layla',
  نورة: 'noura',
  هند: 'hind',
  ريم: 'reem',
  دينا: 'dina',
  منى: 'mona',
  سلمى: 'salma',
  أمل: 'amal',
  رنا: 'rana',
  هدى: 'huda',
  عبير: 'abeer',
  لمياء: 'lamia',
  نجلاء: 'najla',
  شيماء: 'shaimaa',
  جميلة: 'jamila',
  زينب: 'zainab',
  أسماء: 'asma',
  خلود: 'kholoud',
  بتول: 'batoul',
} as const

const MALE = {
  أحمد: 'ahmad',
  محمد: 'mohammed',
  خالد: 'khalid',
  عمر: 'omar',
  يوسف: 'yousef',
  علي: 'ali',
  حسن: 'hassan',
  إبراهيم: 'ibrahim',
  سامي: 'sami',
  طارق: 'tariq',
  ماجد: 'majed',
  فيصل: 'faisal',
  كريم: 'karim',
  باسل: 'basel',
  زياد: 'ziad',
  وليد: 'waleed',
  نادر: 'nader',
  هاني: 'hani',
  رامي: 'rami',
  ياسر: 'yasser',
  مصطفى: 'mostafa',
  بدر: 'bader',
} as const

/** Family names, e.g. `الخطيب`. */
export const familyNames: readonly string[] = Object.keys(FAMILY)

/** First names of women, e.g. `مريم`. */
export const femaleNames: readonly string[] = Object.keys(FEMALE)

/** First names of men, e.g. `خالد`. */
export const maleNames: readonly string[] = Object.keys(MALE)

/** How each name is written in plain letters, e.g. `alkhatib` for `الخطيب`. */
export const latinNames: Readonly<Record<string, string>> = { ...FAMILY, ...FEMALE, ...MALE }
