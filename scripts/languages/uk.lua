-- Ukrainian
return {
  api = 1,
  name = "Українська",
  kinds = {
    flag = "Прапор",
    bomb = "Бомба",
    spy = "Шпигун",
    saboteur = "Диверсант",
    spotter = "Спостерігач",
    scout = "Розвідник",
    miner = "Мінер",
    sergeant = "Сержант",
    lieutenant = "Лейтенант",
    captain = "Капітан",
    major = "Майор",
    colonel = "Полковник",
    general = "Генерал",
    marshal = "Маршал",
  },
  texts = {
    ["Red"] = "Червоні",
    ["Blue"] = "Сині",
    ["Piece"] = "Фігура",
  },
}
