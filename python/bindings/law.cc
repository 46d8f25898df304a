// A law as numbers, and back.
#include "law.h"

#include "fail.h"

namespace sqmax::python {
namespace {

// Calls visit(number) for each number of the law, always in this order.
template <class Law, class Visit>
void each_number(Law& law, const Visit& visit) {
  for (auto* side : {&law.users, &law.items}) {
    for (auto* of_degree :
         {&side->weight, &side->lean, &side->curvature, &side->pull, &side->ridge}) {
      visit(of_degree->scale);
      visit(of_degree->offset);
      visit(of_degree->slope);
      visit(of_degree->power);
      visit(of_degree->floor);
    }
    visit(side->interaction);
  }
  visit(law.target);
  visit(law.weighted_ridge);
}

}  // namespace

LawNumbers numbers_of(const QuadraticLaw& law) {
  LawNumbers numbers;
  each_number(law, [&](double number) { numbers.push_back(number); });
  return numbers;
}

QuadraticLaw law_of(const LawNumbers& numbers) {
  QuadraticLaw law;
  const std::size_t wanted = numbers_of(law).size();
  if (numbers.size() != wanted) {
    fail(Errc::BadInput, "A law has {} numbers, not {}.", wanted, numbers.size());
  }
  auto next = numbers.begin();
  each_number(law, [&](double& number) { number = *next++; });
  return law;
}

}  // namespace sqmax::python
